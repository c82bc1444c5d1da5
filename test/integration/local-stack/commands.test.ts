// The small commands beside `npm start` say in one sentence what is wrong with what they were given.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenOnLoopback } from '#infra/local/held-port.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({ ...process.env, DATA_DIR: folder });

const runCommand = (args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8', env: environment() });
  return { status, stdout, stderr };
};
const wallet = (args: readonly string[], input = '') => runCommand(['infra/local/wallet.ts', ...args], input);

test.each(['', 'not JSON', '[]', '{}'])('error: a wallet that is given "%s" to sign says what it wants instead', (input) => {
  expect(wallet(['sign'], input)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^there is no message to sign: .*\n$/) });
});

test('error: a refusal of the service that is given to be signed is passed on', () => {
  expect(wallet(['sign'], '{"error":"Wallet is required"}')).toEqual({ status: 1, stdout: '', stderr: 'Wallet is required\n' });
});

test.each([[['signn']], [['sign', 'twice']]])('error: wallet %j gets the usage', (args) => {
  expect(wallet(args)).toEqual({ status: 1, stdout: '', stderr: 'npm run -s wallet [-- sign]\n' });
});

test('default: a wallet signs with the address that it prints', () => {
  const address = wallet([]).stdout.trim();
  const signed = JSON.parse(wallet(['sign'], '{"message":"hello"}').stdout) as unknown;
  expect(signed).toEqual({ address, message: 'hello', signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) });
});

test('error: an empty name to resume gets the usage', () => {
  expect(runCommand(['infra/resume-sender.ts', ''])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^npm run resume -- /),
  });
});

test('behavior: a byte order mark before the first bond is no part of it', async () => {
  const bodies: unknown[] = [];
  const control = createServer(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    response.end('{"payload":{"imported":1,"existing":0,"refused":[]}}');
  });
  const port = await listenOnLoopback(control, 0);
  writeFileSync(join(folder, 'stack.json'), JSON.stringify({ control_url: `http://127.0.0.1:${port}` }));
  writeFileSync(join(folder, 'bonds.jsonl'), '\uFEFF{"email_id":"a"}\n');

  const command = spawn(process.execPath, ['infra/import-bonds.ts', join(folder, 'bonds.jsonl')], { env: environment() });
  const [[code], stdout] = await Promise.all([once(command, 'exit'), text(command.stdout)]);
  control.close();

  expect([code, stdout]).toEqual([0, 'imported 1, there before 0, refused 0\n']);
  expect(bodies).toEqual([{ name: 'on-bonds-imported', event: { bonds: [{ email_id: 'a' }] } }]);
});
