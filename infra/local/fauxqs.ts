// Starts fauxqs, the emulator of queues, topics and buckets, in this process, so that its delays follow the moved clock.
import { channel } from 'node:diagnostics_channel';
import { mkdirSync } from 'node:fs';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import type { RunningEmulator } from './dynoxide.ts';

export interface RunningFauxqs extends RunningEmulator {
  readonly server: FauxqsServer;
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
  close(): Promise<void>;
  readonly server: { closeAllConnections?: () => void };
  addHook(name: 'preClose', hook: () => Promise<void>): void;
}

/** fauxqs listens on every interface; nothing of a local stack may be reachable from outside this machine. */
function listenOnLoopbackOnly(): () => void {
  const created = channel('fastify.initialization');
  const bind = (message: unknown): void => {
    const app = (message as { fastify: Listening }).fastify;
    const listen = app.listen.bind(app);
    app.listen = async (options) => {
      try {
        return await listen({ ...options, host: '127.0.0.1' });
      } catch (error) {
        // Closes its files as well, which another start would find open.
        await app.close();
        throw error;
      }
    };
    // Kept-alive connections and long polls would hold up the stop.
    app.addHook('preClose', async () => app.server.closeAllConnections?.());
  };
  created.subscribe(bind);
  return () => {
    created.unsubscribe(bind);
  };
}
