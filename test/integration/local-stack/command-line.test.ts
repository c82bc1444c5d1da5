// What `npm start` takes, and what it says to what it does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MovableClock } from '#infra/local/clock.ts';
import { readCommandLine } from '#infra/local/command-line.ts';
import { startStack } from '#infra/local/stack.ts';

test.each([
  ['--now=', '--now must be a whole number from 0 to 253402300799 (Unix seconds)'],
  ['--now=1790000000000', '--now must be a whole number from 0 to 253402300799 (Unix seconds)'],
  ['--now=1e9', '--now must be a whole number'],
  ['--port=', '--port must be a whole number from 0 to 65535'],
  ['--port=65536', '--port must be a whole number from 0 to 65535'],
  ['--data=', '--data must name a folder'],
])('error: %s is refused', (option, sentence) => {
  expect(() => readCommandLine([option], {})).toThrow(sentence);
});

test('default: options come before the environment, and a variable set to nothing counts as none', () => {
  const options = ['--port', '0', '--data', '/tmp/other', '--fresh', '--now', '1790000000'];
  expect(readCommandLine(options, { PORT: '1', DATA_DIR: 'x' })).toEqual({
    port: 0,
    dataDir: '/tmp/other',
    fresh: true,
    now: 1_790_000_000,
  });
  expect(readCommandLine([], { PORT: '4000', DATA_DIR: 'x' })).toEqual({ port: 4000, dataDir: 'x', fresh: false });
  expect(readCommandLine([], { PORT: '', DATA_DIR: '' })).toEqual({ port: 3000, dataDir: '.local', fresh: false });
  expect(readCommandLine(['--help'], {})).toBe('help');
});

test('behavior: an earlier time on a known folder is left out, and that is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'known-'));
  const dataDir = join(folder, 'stack');
  const notices: string[] = [];
  const start = (now: number) =>
    startStack({ dataDir, now, cdkOut: join(folder, 'none'), withoutChains: true, onNotice: (notice) => notices.push(notice) });

  for (const now of [2_208_988_800, 1_000_000_000]) await expect(start(now)).rejects.toThrow();

  expect(notices).toEqual([expect.stringMatching(/^--now is left out: in this folder it is 2040-/)]);
  expect(new MovableClock(join(dataDir, 'clock.json')).nowMs()).toBeGreaterThan(2_208_988_000_000);
  rmSync(folder, { recursive: true, force: true });
});
