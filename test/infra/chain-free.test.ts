// Cold starts: no function carries a chain library in its bundle, those that ask a chain load it on first use, and the
// others could not load it if they tried.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildBundles } from '#infra/build.ts';
import type { BundleReport } from '#infra/bundle.ts';
import { listFunctions } from '#infra/inventory.ts';
import { permissionsOf } from '#infra/permissions.ts';

/** What a bundle would hold if one of these libraries were in it: viem's version text, and the problem types of mppx. */
const TRACES: Readonly<Record<string, RegExp>> = {
  viem: /`viem@/,
  mppx: /paymentauth\.org\/problems/,
  siwe: /wants you to sign in with your Ethereum account/,
};
const ANY_USE = /require\("evm-runtime\/[a-z]+"\)/g;
const LAZY_USE = /Promise\.resolve\(\)\.then\(\(\)=>\w*\(?require\("evm-runtime\/[a-z]+"\)/g;

let report: BundleReport;
beforeAll(async () => {
  report = await buildBundles();
}, 120_000);

const codeOf = (name: string): string => readFileSync(join(report.functionsDir, name, 'index.js'), 'utf8');
const count = (code: string, pattern: RegExp): number => code.match(pattern)?.length ?? 0;

it('the traces tell: the layer itself holds them', () => {
  const layer = (module: string) => readFileSync(join(report.layerDir ?? '', 'nodejs/node_modules/evm-runtime', `${module}.js`), 'utf8');
  for (const [module, trace] of Object.entries(TRACES)) expect(trace.test(layer(module)), module).toBe(true);
});

describe.each(listFunctions().map(({ name }) => name))('%s', (name) => {
  it('holds no chain library, loads one on first use alone, and only with the layer', () => {
    const code = codeOf(name);
    const uses = count(code, ANY_USE);

    for (const [module, trace] of Object.entries(TRACES)) expect(trace.test(code), `${name} holds ${module}`).toBe(false);
    expect(count(code, /evm-runtime\//g)).toBe(uses);
    // `$` begins names of the minifier too.
    expect(count(code.replaceAll('$', '_'), LAZY_USE)).toBe(uses);
    if (uses > 0) expect(permissionsOf(name).layer, `${name} uses the layer without having it`).toBe(true);
  });
});
