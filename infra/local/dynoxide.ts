// Starts dynoxide, the emulator of tables, as a child process with everything it holds in one file.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, findProgram, spawnTied } from './child-process.ts';

export interface RunningEmulator {
  readonly url: string;
  stop(): Promise<void>;
}

const TABLES_FILE = 'tables.db';
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
  const parameters = ['--host', '127.0.0.1', '--port', String(options.port), '--db-path', join(options.dataDir, TABLES_FILE)];
  // After a kill of the stack, the former child may still be dying and hold the port for a moment.
  for (let attempt = 1; attempt <= STARTUP_ATTEMPTS; attempt += 1) {
    const child = spawnTied(program, parameters, { logFile });
    const hasExited = once(child, 'exit').then(() => false);
    if (await Promise.race([answers(url), hasExited])) {
      indexStream(join(options.dataDir, TABLES_FILE));
      return { url, stop: () => endChild(child) };
    }
    await endChild(child);
    await sleep(200 * attempt);
  }
  throw new Error(`dynoxide did not start on port ${options.port}: see ${logFile}`);
}

/**
 * Dynoxide asks for a stream's highest sequence number before each write, and has no index that knows: every write would
 * read the whole history, and a stack would get slower with every mail.
 */
function indexStream(file: string): void {
  const tables = new DatabaseSync(file, { timeout: STARTUP_PATIENCE_MS });
  tables.exec('CREATE INDEX IF NOT EXISTS stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))');
  tables.close();
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
