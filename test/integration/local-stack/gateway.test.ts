// The HTTP API in front of real environments: matching, payload format, limits, failures, and Lambda's own limits.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SmallStack, startSmallStack } from '#test/fixtures/local-stack/small-stack.ts';

let small: SmallStack;
beforeAll(async () => {
  small = await startSmallStack();
});
afterAll(() => small.stack.stop());

interface Echo {
  readonly event: Record<string, unknown> & { requestContext: { http: Record<string, string> }; headers: Record<string, string> };
  readonly context: Record<string, unknown>;
  readonly env: Record<string, string>;
  readonly now: number;
  readonly remaining: number;
}

const call = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${small.stack.base_url}${path}`, init);
const echo = async (path: string, init: RequestInit = {}): Promise<Echo> => (await call(path, init)).json() as Promise<Echo>;

test('default: a request becomes an event of format 2.0', async () => {
  const { event } = await echo('/echo?a=1&a=2&b=%20c', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9, 10.0.0.1', 'User-Agent': 'tester', Cookie: 'x=1; y=2' },
    body: '{"ü":1}',
  });
  expect(event).toMatchObject({
    version: '2.0',
    routeKey: 'POST /echo',
    rawPath: '/echo',
    rawQueryString: 'a=1&a=2&b=%20c',
    queryStringParameters: { a: '1,2', b: ' c' },
    cookies: ['x=1', 'y=2'],
    body: '{"ü":1}',
    isBase64Encoded: false,
    headers: { 'content-type': 'application/json' },
    requestContext: {
      stage: '$default',
      routeKey: 'POST /echo',
      http: { method: 'POST', path: '/echo', sourceIp: '203.0.113.9', userAgent: 'tester' },
    },
  });
});

test('behavior: the most specific route wins, parameters are decoded, and the rest goes to $default', async () => {
  expect((await echo('/items/special')).event).toMatchObject({ routeKey: 'GET /items/special' });
  expect((await echo('/items/a%2Fb%20c')).event).toMatchObject({ routeKey: 'GET /items/{id}', pathParameters: { id: 'a/b c' } });
  expect((await echo('/items/x', { method: 'DELETE' })).event['routeKey']).toBe('$default');
  expect((await echo('/items/')).event['routeKey']).toBe('$default');
});

test('behavior: bytes and forms come in base64', async () => {
  const { event } = await echo('/echo', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array([0, 255]),
  });
  expect(event).toMatchObject({ isBase64Encoded: true, body: 'AP8=' });
});

test('behavior: replies of every form', async () => {
  const plain = await call('/plain');
  expect([plain.status, plain.headers.get('content-type'), await plain.json()]).toEqual([200, 'application/json', { hello: 'world' }]);
  const bytes = await call('/bytes');
  expect([bytes.headers.get('content-type'), [...new Uint8Array(await bytes.arrayBuffer())]]).toEqual(['image/png', [0, 255, 1]]);
});

test('behavior: WWW-Authenticate is renamed, and a mapping of the integration restores it', async () => {
  const response = await call('/payment');
  expect(response.status).toBe(402);
  expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Payment id="1"');
  expect(response.headers.get('www-authenticate')).toBe('Payment id="1"');
});

test('error: bodies over 10 MB never leave the gateway, and over 6 MB never reach the function', async () => {
  for (const bytes of [10 * 1024 * 1024 + 1, 7 * 1024 * 1024]) {
    const response = await call('/echo', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(bytes) });
    expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
  }
});

test('error: a function that throws, dies or answers too much is a bare 500, one that is slow a 503', async () => {
  for (const path of ['/throw', '/crash', '/big']) {
    const response = await call(path);
    expect([path, response.status, await response.json()]).toEqual([path, 500, { message: 'Internal Server Error' }]);
  }
  const slow = await call('/slow');
  expect([slow.status, await slow.json()]).toEqual([503, { message: 'Service Unavailable' }]);
  // A new environment takes over from the one that was killed.
  expect((await call('/plain')).status).toBe(200);
});

test('behavior: an environment sees its own variables and nothing of this process', async () => {
  const { env, context, remaining } = await echo('/echo');
  expect(env).toMatchObject({
    AWS_REGION: 'us-east-1',
    AWS_LAMBDA_FUNCTION_NAME: 'App-Main',
    _HANDLER: 'index.handler',
    CHOSEN: 'a-000000000000',
  });
  expect(env).not.toHaveProperty('PATH');
  expect(env).not.toHaveProperty('VITEST');
  expect(context).toMatchObject({ functionName: 'App-Main', memoryLimitInMB: '256', functionVersion: '$LATEST' });
  expect(remaining).toBeLessThanOrEqual(20_000);
});

test('behavior: packages come from the layer, never from the repository', async () => {
  expect(await (await call('/layer')).text()).toBe('hello from the layer');
  expect((await call('/repository')).status).toBe(500);
});

test('behavior: one invocation at a time in each environment, and no more environments than reserved', async () => {
  const calls = [1, 2, 3, 4].map(async (name) => (await call(`/hold?${name}`)).text());
  await vi.waitUntil(() => small.records().filter((record) => 'held' in record).length === 2);
  const narrow = (small.stack.control.listFunctions() as { name: string }[]).find((each) => each.name === 'narrow-http');
  expect(narrow).toMatchObject({ environments: 2, running: 2, waiting: 2 });
  writeFileSync(`${small.recordFile}.go`, '');
  expect(new Set(await Promise.all(calls)).size).toBe(2);
});

test('behavior: functions follow the moved clock', async () => {
  const response = await fetch(`${small.stack.control_url}/clock`, { method: 'POST', body: '{"advance_seconds": 86400}' });
  const { now } = (await response.json()) as { now: number };
  expect((await echo('/echo')).now).toBeGreaterThanOrEqual(now * 1000);
  expect(Date.parse((await call('/plain')).headers.get('date') ?? '')).toBeGreaterThanOrEqual(now * 1000);
  expect((await fetch(`${small.stack.control_url}/clock`, { method: 'POST', body: '{"advance_seconds": -1}' })).status).toBe(400);
});

test('behavior: the meter counts per function and route, and can be reset', async () => {
  small.stack.control.resetMeter();
  await call('/plain');
  const { rows } = (await (await fetch(`${small.stack.control_url}/meter`)).json()) as { rows: readonly Record<string, unknown>[] };
  expect(rows).toMatchObject([{ function: 'main-http', route: 'GET /plain', invocations: 1 }]);
  expect(rows[0]?.['responseBytes']).toBe('{"hello":"world"}'.length);
});
