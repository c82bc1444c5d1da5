// A data folder has one stack, whichever of two starts comes between which steps of the other.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockFolder } from '#infra/local/folder-lock.ts';

/** Called before each step on files that `lockFolder` takes. */
const hook = vi.hoisted(() => ({ beforeStep: (): void => undefined }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const stepped = Object.entries(fs).map(([name, value]) => {
    if (typeof value !== 'function' || !name.endsWith('Sync')) return [name, value] as const;
    const step = (...parameters: unknown[]): unknown => {
      hook.beforeStep();
      return (value as (...each: unknown[]) => unknown)(...parameters);
    };
    return [name, step] as const;
  });
  return Object.fromEntries(stepped);
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => {
  hook.beforeStep = () => undefined;
  rmSync(folder, { recursive: true, force: true });
});

const attempt = (): string => {
  try {
    lockFolder(join(folder, 'stack.lock'));
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};

/** One start with a whole second one before its step `at`; nothing when the first is done before that step. */
const interleave = (at: number): readonly string[] | undefined => {
  let step = 0;
  let second: string | undefined;
  hook.beforeStep = () => {
    if (step++ !== at) return;
    hook.beforeStep = () => undefined;
    second = attempt();
  };
  const first = attempt();
  hook.beforeStep = () => undefined;
  return second === undefined ? undefined : [first, second];
};

const DEAD = JSON.stringify({ pid: process.pid, started: 'long ago' });
const IN_USE = `the data folder is in use by a running stack (process ${process.pid}): stop it or choose another with --data`;

test.each([
  ['no lock', undefined],
  ['the lock of a process that was killed', DEAD],
  ['a lock that was cut off', '{"pid":'],
])('behavior: of two starts at one moment on a folder with %s, one takes it and the other is told who did', (_state, lock) => {
  for (let at = 0; ; at += 1) {
    rmSync(join(folder, 'stack.lock'), { force: true });
    if (lock !== undefined) writeFileSync(join(folder, 'stack.lock'), lock);
    const both = interleave(at);
    if (both === undefined) break;
    expect([...both].sort(), `before step ${at}`).toEqual(['taken', IN_USE]);
  }
  expect(readdirSync(folder)).toEqual(['stack.lock']);
});

test('behavior: a start that was killed while it took the lock over keeps nobody out', () => {
  writeFileSync(join(folder, 'stack.lock'), DEAD);
  writeFileSync(join(folder, 'stack.lock.turn'), DEAD);
  expect([attempt(), attempt()]).toEqual(['taken', IN_USE]);
});

test('default: a lock that is given back is free', () => {
  lockFolder(join(folder, 'stack.lock'))();
  expect(attempt()).toBe('taken');
});
