// A data folder belongs to one stack: no file of anybody else's is lost, and nobody else's folder is taken.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkFolder, emptyFolder, markFolder } from '#infra/local/data-folder.ts';
import { startStack } from '#infra/local/stack.ts';
import { startSmallStack } from '#test/fixtures/local-stack/small-stack.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), name);
};

test.each(['logs/app.log', 'ports.json', 'secrets/mine.txt'])(
  'error: a folder that holds %s and no stack is taken by no start and stays as it is',
  async (file) => {
    write(file);
    const before = readdirSync(folder);

    for (const fresh of [false, true])
      await expect(startStack({ dataDir: folder, fresh })).rejects.toThrow('choose another folder with --data');

    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(join(folder, file), 'utf8')).toBe(file);
  },
);

test('behavior: a fresh start of a known folder leaves files that are not the stack’s, and the wallets', () => {
  markFolder(folder);
  for (const name of ['tables/mail.sqlite', 'logs/a.log', 'clock.json', 'notes.txt', 'wallets/me.key']) write(name);

  emptyFolder(folder);

  expect(readdirSync(folder).filter((entry) => ['tables', 'logs', 'clock.json'].includes(entry))).toEqual([]);
  expect(['notes.txt', 'wallets/me.key'].map((name) => existsSync(join(folder, name)))).toEqual([true, true]);
  expect(() => checkFolder(folder)).not.toThrow();
});

test('default: files that bear no name of a stack, such as wallets made before, do not keep it from starting', () => {
  write('wallets/me.key');
  write('output.log');
  expect(() => checkFolder(folder)).not.toThrow();
});

test('behavior: a fresh start removes all that a stack wrote', async () => {
  const { stack } = await startSmallStack(folder);
  await stack.stop();
  const marker = readdirSync(folder).filter((entry) => entry.startsWith('agent-email'));

  emptyFolder(folder);

  expect(readdirSync(folder)).toEqual(marker);
});
