// Queues, streams, time to live and schedules: what is tried again, what is given up, and what a restart finds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callJson } from '#infra/local/aws-json.ts';
import { readRecords, type SmallStack, startSmallStack } from '#test/fixtures/local-stack/small-stack.ts';

let small: SmallStack;
beforeAll(async () => {
  small = await startSmallStack();
});
afterAll(() => small.stack.stop());

/** Addresses of the emulators behind a data folder's stack. */
function emulatorsOf(dataDir: string): { readonly queues: string; readonly tables: string } {
  const ports = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')) as Record<string, number>;
  return { queues: `http://127.0.0.1:${ports['fauxqs']}`, tables: `http://127.0.0.1:${ports['dynoxide']}` };
}

const order = (dataDir: string, body: Record<string, unknown>, delaySeconds = 0): Promise<unknown> => {
  const { queues } = emulatorsOf(dataDir);
  const input = { QueueUrl: `${queues}/000000000000/orders`, MessageBody: JSON.stringify(body), DelaySeconds: delaySeconds };
  return callJson(queues, 'sqs', 'SendMessage', input);
};

const put = (dataDir: string, key: string, more: Record<string, unknown> = {}): Promise<unknown> =>
  callJson(emulatorsOf(dataDir).tables, 'dynamodb', 'PutItem', { TableName: 'Stores-Table', Item: { PK: { S: key }, ...more } });

const receivesOf = (name: string): readonly unknown[] =>
  small
    .records()
    .filter((each) => each['message'] === name)
    .map((each) => each['receives']);
const changesOf = (key: string): readonly unknown[] =>
  small
    .records()
    .filter((each) => each['key'] === key)
    .map((each) => each['change']);

const control = () => small.stack.control;
const queue = (name: string) =>
  (control().listQueues() as { name: string; ready: number; in_flight: number; delayed: number }[]).find((each) => each.name === name);

test('behavior: of a batch only the failed message comes back, once its visibility ends on the moved clock', async () => {
  await order(small.stack.data_dir, { name: 'good', failures: 0 });
  await order(small.stack.data_dir, { name: 'bad-once', failures: 1 });
  await control().drain();
  expect([receivesOf('good'), receivesOf('bad-once')]).toEqual([['1'], ['1']]);
  expect(queue('orders')).toMatchObject({ ready: 0, in_flight: 1 });
  await control().advanceClock(61);
  await control().drain();
  expect([receivesOf('good'), receivesOf('bad-once')]).toEqual([['1'], ['1', '2']]);
  expect(queue('orders')).toMatchObject({ ready: 0, in_flight: 0 });
});

test('behavior: a message that keeps failing ends in the dead-letter queue', async () => {
  await order(small.stack.data_dir, { name: 'poison', failures: 99 });
  for (let round = 0; round < 4; round += 1) {
    await control().drain();
    await control().advanceClock(61);
  }
  await vi.waitUntil(() => queue('Stores-Dead')?.ready === 1);
  expect(receivesOf('poison')).toEqual(['1', '2', '3']);
});

test('behavior: a message whose function crashed is tried again', async () => {
  await order(small.stack.data_dir, { name: 'crasher', failures: 0, crash: true });
  await control().drain();
  await control().advanceClock(61);
  await control().drain();
  expect(receivesOf('crasher')).toEqual(['1', '2']);
});

test('behavior: a delayed message does not hold up a drain and is due on the moved clock', async () => {
  await order(small.stack.data_dir, { name: 'later', failures: 0 }, 600);
  expect(await control().drain()).toBe(true);
  expect(receivesOf('later')).toEqual([]);
  await control().advanceClock(601);
  await control().drain();
  expect(receivesOf('later')).toEqual(['1']);
});

test('behavior: changes arrive in order, filtered, and a failing batch is tried again', async () => {
  for (const key of ['one', 'unseen', 'two']) await put(small.stack.data_dir, key);
  await put(small.stack.data_dir, 'fails-once', { failOnce: { BOOL: true } });
  await put(small.stack.data_dir, 'three');
  await control().drain();
  const keys = [...new Set(small.records().flatMap((each) => (each['key'] === undefined ? [] : [each['key']])))];
  expect(keys).toEqual(['one', 'two', 'fails-once', 'three']);
  expect(changesOf('fails-once').length).toBeGreaterThanOrEqual(2);
});

test('behavior: a change that always fails goes to the on-failure queue, and the stream goes on', async () => {
  await put(small.stack.data_dir, 'fails-always', { failAlways: { BOOL: true } });
  await put(small.stack.data_dir, 'after');
  await control().drain();
  expect(changesOf('after')).toContain('INSERT');
  expect(queue('stream-dead')?.ready).toBe(1);
});

test("behavior: time to live follows the moved clock and shows in the stream as the service's removal", async () => {
  const soon = Math.floor(small.stack.clock.nowMs() / 1000) + 60;
  await put(small.stack.data_dir, 'expiring', { ttl: { N: String(soon) } });
  await control().drain();
  expect(changesOf('expiring')).toEqual(['INSERT']);
  await control().advanceClock(61);
  await control().drain();
  expect(changesOf('expiring')).toEqual(['INSERT', 'REMOVE']);
  expect(small.records().findLast((each) => each['key'] === 'expiring')).toMatchObject({ by: 'dynamodb.amazonaws.com' });
});

test('behavior: a schedule runs once per jump of the clock over its time, and on demand', async () => {
  const count = (): number => small.records().filter((each) => 'schedule' in each).length;
  await control().drain();
  const before = count();
  await control().advanceClock(5 * 3600);
  await control().drain();
  expect(count()).toBe(before + 1);
  expect(await control().runSchedules('main-http')).toEqual([{ name: 'main-http', outcome: 'done', result: 'scheduled' }]);
  await expect(control().runSchedules('unknown')).rejects.toThrow('no schedule unknown');
});

async function startProcess(dataDir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../fixtures/local-stack/run-small-stack.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

test('behavior: after kill -9 the same folder hands out again what was in work, loses nothing and leaves no child', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'killed-'));
  const records = () => readRecords(join(dataDir, 'records.jsonl'));
  const killed = await startProcess(dataDir);
  await order(dataDir, { name: 'in-work', failures: 0, hang: true });
  await vi.waitUntil(() => records().some((each) => each['message'] === 'in-work'), { timeout: 10_000 });
  await put(dataDir, 'just-written');
  const exited = once(killed, 'exit');
  killed.kill('SIGKILL');
  await exited;
  // The table's emulator was a child of the killed process.
  await vi.waitUntil(
    () =>
      fetch(emulatorsOf(dataDir).tables).then(
        () => false,
        () => true,
      ),
    { timeout: 5000 },
  );
  const again = await startSmallStack(dataDir);
  try {
    await vi.waitUntil(() => records().filter((each) => each['message'] === 'in-work').length === 2, { timeout: 10_000 });
    await vi.waitUntil(() => records().some((each) => each['key'] === 'just-written'), { timeout: 10_000 });
  } finally {
    await again.stack.stop();
  }
});

test('error: a folder in use is refused, and one that holds no stack is not emptied', async () => {
  await expect(startSmallStack(small.stack.data_dir)).rejects.toThrow('in use by a running stack');
});
