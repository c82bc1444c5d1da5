// What the build makes of functions: found by listing, CommonJS, with heavy packages where they belong.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withBuildLock } from '#infra/build-lock.ts';
import { BundleError, type BundleReport, bundleAll } from '#infra/bundle.ts';
import { listFunctions } from '#infra/inventory.ts';
import { checkout, removeCheckouts } from './checkout.ts';

afterAll(removeCheckouts);

const SOURCES = {
  'functions/mailbox/http.ts': `
    import { SESClient } from '@aws-sdk/client-ses';
    export const handler = async () => {
      const { answer } = await import('#evm-runtime/viem.ts');
      const { word } = await import('./word.ts');
      const { accessKeyId } = await new SESClient({ region: 'us-east-1' }).config.credentials();
      return { answer, word, accessKeyId };
    };`,
  'functions/mailbox/word.ts': `export const word: string = 'late';`,
  'functions/mailbox/present.ts': `export const unused = 1;`,
  'functions/sending/on-mail-received.ts': `export const handler = async () => 'received';`,
  'layers/evm-runtime/viem.ts': `export const answer = 42;`,
  'layers/evm-runtime/ethers-shim.ts': `export const ethers = {};`,
};

describe('a build', () => {
  let root = '';
  let report: BundleReport;
  beforeAll(async () => {
    root = checkout(SOURCES);
    report = await bundleAll(root);
  });
  const built = (path: string): string => join(root, '.build', path);

  it('takes the entries of every area and nothing else', () => {
    expect(report.functions.map(({ name, area, kind }) => [name, area, kind])).toEqual([
      ['mailbox-http', 'mailbox', 'http'],
      ['on-mail-received', 'sending', 'event'],
    ]);
    expect(Object.keys(report.functionBytes).sort()).toEqual(['mailbox-http', 'on-mail-received']);
  });

  it('runs: layer, lazy module and credentials of the environment', async () => {
    const code = readFileSync(built('functions/mailbox-http/index.js'), 'utf8');
    expect(code).toContain('require("evm-runtime/viem")');
    symlinkSync(built('layers/evm-runtime/nodejs/node_modules'), built('functions/mailbox-http/node_modules'));
    process.env['AWS_ACCESS_KEY_ID'] = 'of-the-environment';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'secret';
    const { handler } = createRequire(import.meta.url)(built('functions/mailbox-http/index.js')) as {
      readonly handler: () => Promise<unknown>;
    };
    expect(await handler()).toEqual({ answer: 42, word: 'late', accessKeyId: 'of-the-environment' });
  });

  it('keeps the SDK’s credential chain out', () => {
    expect(readFileSync(built('functions/mailbox-http/index.js'), 'utf8')).not.toContain('fromSSO');
  });

  it('puts what loads on first use beside the function that asks for it, alone', () => {
    expect(existsSync(built('functions/mailbox-http/lazy-word.js'))).toBe(true);
    expect(existsSync(built('functions/on-mail-received/lazy-word.js'))).toBe(false);
    expect(Object.keys(report.lazyBytes).sort()).toEqual(['evm-runtime/viem', 'mailbox-http/lazy-word.js']);
  });
});

describe('faults', () => {
  it('are told once each, by file and line', async () => {
    const broken = `import { nothing } from '../shared.ts';\nexport const handler = nothing;`;
    const root = checkout({
      'functions/a/http.ts': broken,
      'functions/b/http.ts': broken,
      'functions/shared.ts': 'export const something = 1;',
    });
    const fault = await bundleAll(root).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BundleError);
    expect((fault as Error).message.split('\n')).toEqual([
      'functions/a/http.ts:1: No matching export in "functions/shared.ts" for import "nothing"',
      'functions/b/http.ts:1: No matching export in "functions/shared.ts" for import "nothing"',
    ]);
  });

  it('are two event functions of one name', () => {
    const root = checkout({ 'functions/a/on-mail.ts': '', 'functions/b/on-mail.ts': '' });
    expect(() => listFunctions(root)).toThrow('functions/a and functions/b both have on-mail');
  });
});

describe('the build lock', () => {
  it('lets one work at a time', async () => {
    const file = join(checkout({}), '.build/lock');
    const order: string[] = [];
    const work = (name: string) =>
      withBuildLock(file, async () => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
      });
    await Promise.all([work('a'), work('b')]);
    expect([order.slice(0, 2), order.slice(2)]).toEqual(
      order[0] === 'a begins'
        ? [
            ['a begins', 'a ends'],
            ['b begins', 'b ends'],
          ]
        : [
            ['b begins', 'b ends'],
            ['a begins', 'a ends'],
          ],
    );
  });

  it('takes over from a process that died', async () => {
    const file = join(checkout({}), 'lock');
    // Above the largest process id that Linux gives out.
    writeFileSync(file, '4194305');
    expect(await withBuildLock(file, async () => 'built')).toBe('built');
    expect(existsSync(file)).toBe(false);
  });
});
