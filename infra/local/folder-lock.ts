// One running stack per data folder: two would write over each other's tables and chains.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { asNumber, asObject, asText } from './shapes.ts';

/** Takes the lock or throws with the id of the process that holds it; answers what gives it back. */
export function lockFolder(file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  const holder = existsSync(file) ? readHolder(file) : undefined;
  if (holder !== undefined)
    throw new Error(`the data folder is in use by a running stack (process ${holder}): stop it or choose another with --data`);
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  rmSync(file, { force: true });
  writeFileSync(file, mine, { flag: 'wx' });
  return () => {
    if (existsSync(file) && readFileSync(file, 'utf8') === mine) rmSync(file, { force: true });
  };
}

/** The process that holds the lock, when it still runs. An id alone proves nothing: ids are used again. */
function readHolder(file: string): number | undefined {
  const held = parse(readFileSync(file, 'utf8'));
  const pid = asNumber(held['pid']);
  if (pid === undefined) return undefined;
  const started = startOf(pid);
  return started !== GONE && started === asText(held['started']) ? pid : undefined;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // Cut off by a kill while it was written: nobody holds it.
    return {};
  }
}

const GONE = 'gone';

/** When a process started, in whatever form the system tells; a fixed text for one that is not there. */
function startOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [, state, ...rest] = stat.slice(stat.lastIndexOf(')')).split(' ');
      // A killed process that its parent has not asked after yet is still listed, as a zombie.
      return state === 'Z' || state === 'X' ? GONE : (rest[18] ?? GONE);
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return GONE;
  }
}
