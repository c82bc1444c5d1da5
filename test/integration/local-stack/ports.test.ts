// Ports that a stack chose stay its own until it listens there, whatever else starts on the machine meanwhile.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startQueues } from '#infra/local/fauxqs.ts';
import { HeldPort, listenOnLoopback, startAt } from '#infra/local/held-port.ts';
import { choosePorts, releasePorts } from '#infra/local/ports.ts';
import { freePort } from '#test/support/free-port.ts';

let folder = '';
const running = new Set<ChildProcess>();
const taken: HeldPort[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ports-'));
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  await Promise.all(taken.splice(0).map((port) => port.release()));
  rmSync(folder, { recursive: true, force: true });
});

const takeAway = async (port: number): Promise<void> => {
  taken.push(await HeldPort.take(port));
};

/** Starts a small stack in a process of its own; answers its description once it is up, and what it complained of if it is not. */
const startBeside = async (name: string): Promise<unknown> => {
  const dataDir = join(folder, name);
  const child = spawn(process.execPath, ['test/fixtures/local-stack/run-small-stack.ts', dataDir, String(await freePort())]);
  running.add(child);
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += String(text)));
  const isUp = await Promise.race([once(child.stdout, 'data').then(() => true), once(child, 'exit').then(() => false)]);
  return isUp ? JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) : complaint;
};

test('default: two first starts at the same moment both come up, and each tells its own port for mail', async () => {
  const stacks = await Promise.all([startBeside('one'), startBeside('two')]);

  expect(stacks).toMatchObject([{ smtp: { port: expect.any(Number) } }, { smtp: { port: expect.any(Number) } }]);
  const [first, second] = stacks as { smtp: { port: number } }[];
  expect(first?.smtp.port).not.toBe(second?.smtp.port);
});

test('behavior: nobody else gets a chosen port, not even while its server takes over', async () => {
  const ports = await choosePorts(join(folder, 'ports.json'), [{ name: 'door' }]);
  await expect(HeldPort.take(ports.door.number)).rejects.toThrow(/EADDRINUSE/);

  const server = createServer();
  const port = listenOnLoopback(server, ports.door);
  await expect(HeldPort.take(ports.door.number)).rejects.toThrow(/EADDRINUSE/);

  expect(await port).toBe(ports.door.number);
  await new Promise((resolve) => server.close(resolve));
  await takeAway(ports.door.number);
});

test('behavior: a part that loses its port in the moment before it listens starts on another', async () => {
  const held = await HeldPort.take(0);
  const queues = await startAt(held, async (port) => {
    if (port === held.number) await takeAway(port);
    return startQueues({ port, dataDir: join(folder, 'queues') });
  });

  expect(new URL(queues.url).port).not.toBe(String(held.number));
  expect((await fetch(queues.url)).status).toBeLessThan(500);
  await queues.stop();
});

test('error: a part that fails on a port that is free fails, and is not tried elsewhere', async () => {
  const tried: number[] = [];
  const start = async (port: number): Promise<never> => {
    tried.push(port);
    throw new Error('no disk');
  };

  await expect(startAt(await HeldPort.take(0), start)).rejects.toThrow('no disk');
  expect(tried).toHaveLength(1);
});

test('error: a port that was asked for by name and is in use is named', async () => {
  const used = await HeldPort.take(0);
  taken.push(used);
  const wish = { name: 'door', preferred: used.number, isRequired: true } as const;

  await expect(choosePorts(join(folder, 'ports.json'), [{ name: 'first' }, wish])).rejects.toThrow(`port ${used.number} is in use`);
});

test('default: a known folder keeps its ports', async () => {
  const file = join(folder, 'ports.json');
  const first = await choosePorts(file, [{ name: 'a' }, { name: 'b' }]);
  await releasePorts(first);
  const second = await choosePorts(file, [{ name: 'a' }, { name: 'b' }]);
  taken.push(second.a, second.b);

  expect([second.a.number, second.b.number]).toEqual([first.a.number, first.b.number]);
});

test.each(['', '{"a": 30', 'null'])('behavior: remembered ports that read "%s" are none, and the folder gets others', async (text) => {
  const file = join(folder, 'ports.json');
  writeFileSync(file, text);

  const { a } = await choosePorts(file, [{ name: 'a' }]);
  taken.push(a);

  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: a.number });
});
