// The control URL does what it is asked or says why not: a request that it passes over looks as if it had worked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFunction } from '#infra/local/work.ts';
import { type SmallStack, startSmallStack } from '#test/fixtures/local-stack/small-stack.ts';

let small: SmallStack;
beforeAll(async () => {
  small = await startSmallStack();
});
afterAll(() => small.stack.stop());

const post = async (path: string, body: string): Promise<readonly [number, Record<string, unknown>]> => {
  const response = await fetch(small.stack.control_url + path, { method: 'POST', body });
  return [response.status, (await response.json()) as Record<string, unknown>];
};

test.each([
  ['/clock', '{"seconds":5}', 'no other members than advance_seconds'],
  ['/clock', '[]', 'the body must be a JSON object'],
  ['/clock', '5', 'the body must be a JSON object'],
  ['/clock', '{"advance_seconds":null}', 'advance_seconds must be a whole number'],
  ['/clock', '{"advance_seconds":"5"}', 'advance_seconds must be a whole number'],
  ['/schedules/run', '{"name":["x"]}', 'name must be the name of a schedule'],
  ['/schedules/run', '{"name":null}', 'name must be the name of a schedule'],
  ['/schedules/run', '{"nam":"x"}', 'no other members than name'],
  ['/schedules/run', '{"name":"x"}', 'no schedule x; there are: '],
  ['/functions/invoke', '{"name":5}', 'name must be the name of a function'],
  ['/functions/invoke', '{"name":"x","payload":{}}', 'no other members than name, event'],
  ['/functions/invoke', '{"name":"x"}', 'no function x; there are: '],
  ['/faults', '[{"service":"dynmodb","effect":"timeout"}]', 'service must be one of dynamodb'],
  ['/faults', '[null]', 'a fault must be a JSON object'],
])('error: POST %s %s is refused with what there is, and nothing runs', async (path, body, sentence) => {
  const before = small.records().length;
  expect(await post(path, body)).toEqual([400, { error: expect.stringContaining(sentence) }]);
  expect(small.records()).toHaveLength(before);
  expect(small.stack.control.listFaults()).toEqual([]);
});

test.each(['', '{}'])('default: all schedules run and the clock only tells when the body is "%s"', async (body) => {
  expect(await post('/schedules/run', body)).toEqual([200, { runs: [expect.objectContaining({ outcome: 'done' })] }]);
  expect(await post('/clock', body)).toEqual([200, { now: expect.any(Number) }]);
});

test('behavior: a function is found by its whole name or by an end that only its name has', () => {
  const functions = [{ name: 'app-inbox-http' }, { name: 'app-send-http' }, { name: 'app-send' }, { name: 'app-auto-send' }];
  expect(findFunction(functions, 'inbox-http')).toBe(functions[0]);
  expect(findFunction(functions, 'app-send')).toBe(functions[2]);
  expect(() => findFunction(functions, 'http')).toThrow('several functions end in http: app-inbox-http, app-send-http');
});
