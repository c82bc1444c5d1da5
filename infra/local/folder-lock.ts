// One running stack per data folder: two would write over each other's tables and chains.
import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { asNumber, asObject, asText } from './shapes.ts';

/** Takes the lock or throws with the id of the process that holds it; answers what gives it back. */
export function lockFolder(file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  if (!create(file, mine)) takeOver(file, mine);
  return () => {
    if (readIfThere(file) === mine) rmSync(file, { force: true });
  };
}

/** Writes a file unless it is there: with all its text at once, so that nobody reads half of it. */
function create(file: string, text: string): boolean {
  const aside = `${file}.${randomUUID()}`;
  writeFileSync(aside, text);
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Takes the lock of a process that has ended; one start at a time, or the second would remove what the first has just written. */
function takeOver(file: string, mine: string): void {
  refuseHeld(file);
  const turn = `${file}.turn`;
  if (!create(turn, mine)) {
    refuseHeld(turn);
    // Killed in its turn, which is over within the same moment else.
    rmSync(turn, { force: true });
    if (!create(turn, mine)) throw inUse(turn);
  }
  try {
    refuseHeld(file);
    rmSync(file, { force: true });
    if (!create(file, mine)) throw inUse(file);
  } finally {
    rmSync(turn, { force: true });
  }
}

function refuseHeld(file: string): void {
  if (readHolder(file) !== undefined) throw inUse(file);
}

function inUse(file: string): Error {
  const holder = readHolder(file) ?? 'that starts at this moment';
  return new Error(`the data folder is in use by a running stack (process ${holder}): stop it or choose another with --data`);
}

/** The process that holds the lock, when it still runs. An id alone proves nothing: ids are used again. */
function readHolder(file: string): number | undefined {
  const held = parse(readIfThere(file));
  const pid = asNumber(held['pid']);
  if (pid === undefined) return undefined;
  const started = startOf(pid);
  return started !== GONE && started === asText(held['started']) ? pid : undefined;
}

/** Its holder may give a lock back at any moment: then there is no text. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // No lock, or one that was cut off by a power cut: nobody holds it.
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
