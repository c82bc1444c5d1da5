// The compiled replicas that are committed are those of the sources beside them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMPILED_FILE, compileContracts } from '#infra/local/chains/compile.ts';

test('contracts.json is what the sources compile to', { timeout: 60_000 }, async () => {
  const committed: unknown = JSON.parse(readFileSync(COMPILED_FILE, 'utf8'));
  expect(JSON.parse(await compileContracts()), 'run: node infra/local/chains/compile.ts').toEqual(committed);
});
