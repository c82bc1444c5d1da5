// Starts the emulators behind our AWS endpoint: dynoxide for tables, as a child, and fauxqs for queues, topics and
// buckets, in this process, so that its delays follow the moved clock.
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { endChild, findProgram, spawnTied } from './child-process.ts';

export interface RunningEmulator {
  readonly url: string;
  stop(): Promise<void>;
}

export interface RunningFauxqs extends RunningEmulator {
  readonly server: FauxqsServer;
}

const STARTUP_ATTEMPTS = 3;
const STARTUP_PATIENCE_MS = 10_000;

/** Starts dynoxide on `port` with its file in `dataDir`. Throws with the path of its log when it does not come up. */
export async function startDynoxide(options: {
  readonly port: number;
  readonly dataDir: string;
  readonly logDir: string;
}): Promise<RunningEmulator> {
  mkdirSync(options.dataDir, { recursive: true });
  mkdirSync(options.logDir, { recursive: true });
  const program = findProgram('dynoxide', 'DYNOXIDE_BIN', dynoxidePackageFiles());
  const url = `http://127.0.0.1:${options.port}`;
  const logFile = join(options.logDir, 'dynoxide.log');
  const parameters = ['--host', '127.0.0.1', '--port', String(options.port), '--db-path', join(options.dataDir, 'tables.db')];
  // After a kill of the stack, the former child may still be dying and hold the port for a moment.
  for (let attempt = 1; attempt <= STARTUP_ATTEMPTS; attempt += 1) {
    const child = spawnTied(program, parameters, { logFile });
    const hasExited = once(child, 'exit').then(() => false);
    if (await Promise.race([answers(url), hasExited])) return { url, stop: () => endChild(child) };
    await endChild(child);
    await sleep(200 * attempt);
  }
  throw new Error(`dynoxide did not start on port ${options.port}: see ${logFile}`);
}

function dynoxidePackageFiles(): readonly string[] {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return [join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file)];
  } catch {
    return [];
  }
}

/** Whether something speaks HTTP at `url` before patience ends. */
async function answers(url: string): Promise<boolean> {
  const giveUpAt = performance.now() + STARTUP_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    try {
      await fetch(url);
      return true;
    } catch {
      await sleep(20);
    }
  }
  return false;
}

/** Starts fauxqs in this process with everything it holds in `dataDir`. */
export async function startQueues(options: { readonly port: number; readonly dataDir: string }): Promise<RunningFauxqs> {
  mkdirSync(options.dataDir, { recursive: true });
  const restore = listenOnLoopbackOnly();
  try {
    const server = await startFauxqs({ port: options.port, logger: false, dataDir: options.dataDir });
    return { url: `http://127.0.0.1:${server.port}`, server, stop: () => server.stop() };
  } finally {
    restore();
  }
}

interface Listening {
  listen(options: { readonly port?: number; readonly host?: string }): Promise<string>;
  readonly server: { closeAllConnections?: () => void };
  addHook(name: 'preClose', hook: () => Promise<void>): void;
}

/** fauxqs listens on every interface; nothing of a local stack may be reachable from outside this machine. */
function listenOnLoopbackOnly(): () => void {
  const created = channel('fastify.initialization');
  const bind = (message: unknown): void => {
    const app = (message as { fastify: Listening }).fastify;
    const listen = app.listen.bind(app);
    app.listen = (options) => listen({ ...options, host: '127.0.0.1' });
    // Kept-alive connections and long polls would hold up the stop.
    app.addHook('preClose', async () => app.server.closeAllConnections?.());
  };
  created.subscribe(bind);
  return () => {
    created.unsubscribe(bind);
  };
}
