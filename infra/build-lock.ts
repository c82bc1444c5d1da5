// Lets one process build at a time. Two local stacks or test runs may start together on one checkout and would
// otherwise read each other's half-written bundles.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;
/** Longer than any build takes: a holder that is still there then is stuck. */
const WAIT_MS_MAX = 120_000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const holderOf = (file: string): number | undefined => {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
};

const tryTake = (file: string): boolean => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = holderOf(file);
  // A process that died while building leaves its file behind.
  if (holder !== undefined && !isAlive(holder)) rmSync(file, { force: true });
  return false;
};

/**
 * Runs the work while holding the lock file, waiting for its holder as long as that lives.
 * @throws when the lock was not to be had within two minutes.
 */
export async function withBuildLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const deadline = Date.now() + WAIT_MS_MAX;
  while (!tryTake(file)) {
    if (Date.now() > deadline) throw new Error(`another build holds ${file}; remove it if none is running`);
    await pause(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
