// Small checkouts for tests of the build: a few files of the test's own, with the packages and stand-ins of this one.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '#infra/inventory.ts';

const folders: string[] = [];

/** Makes a checkout of the given files (text by path) and returns its folder. */
export const checkout = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'agent-email-bundle-'));
  folders.push(root);
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'package.json'), readFileSync(join(ROOT, 'package.json')));
  cpSync(join(ROOT, 'layers/adapters/aws'), join(root, 'layers/adapters/aws'), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

/** Removes every checkout that was made. */
export const removeCheckouts = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};
