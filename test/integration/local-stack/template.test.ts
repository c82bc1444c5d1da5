// The template as the local stack reads it: references across stacks, names, grants and what wakes what.
import { expect, test } from 'vitest';
import { loadAssembly } from '#infra/local/template.ts';
import { writeAssembly } from '#test/fixtures/local-stack/write-assembly.ts';

const ENDPOINT = 'http://127.0.0.1:4000';
const load = (parameters: Record<string, string> = {}) => loadAssembly(writeAssembly('/tmp/records'), parameters, ENDPOINT);
const TABLE_ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/Stores-Table';

test("default: intrinsic functions and imports become a function's plain environment", () => {
  const main = load().functions.find((each) => each.name === 'main-http');
  expect(main?.environment).toEqual({
    RECORD_FILE: '/tmp/records',
    ORDERS_URL: `${ENDPOINT}/000000000000/orders`,
    TABLE: 'Stores-Table',
    CHOSEN: 'a-000000000000',
  });
  expect(main).toMatchObject({ handler: 'index.handler', memoryMb: 256, timeoutSeconds: 20 });
});

test('default: statements of inline and attached policies are gathered', () => {
  const [main] = load().functions;
  expect(main?.policies).toEqual([
    { effect: 'Allow', actions: ['dynamodb:PutItem'], resources: [TABLE_ARN], conditions: {} },
    { effect: 'Allow', actions: ['sqs:SendMessage'], resources: ['arn:aws:sqs:us-east-1:000000000000:orders'], conditions: {} },
  ]);
});

test('behavior: parameters decide conditions, and a resource whose condition fails is not there', () => {
  expect(load().functions.map((each) => each.name)).not.toContain('cloud-only');
  const cloud = load({ Stage: 'prod' }).functions;
  expect(cloud.map((each) => each.name)).toContain('cloud-only');
  expect(cloud[0]?.environment['CHOSEN']).toBe('cloud');
});

test('default: tables, queues, event sources, schedules and routes', () => {
  const assembly = load();
  expect(assembly.tables).toMatchObject([{ name: 'Stores-Table', ttlAttribute: 'ttl', createInput: { BillingMode: 'PAY_PER_REQUEST' } }]);
  expect(assembly.queues.map((queue) => [queue.name, queue.isDeadLetterQueue])).toEqual([
    ['Stores-Dead', true],
    ['orders', false],
    ['stream-dead', true],
  ]);
  expect(assembly.eventSources).toMatchObject([
    { kind: 'queue', batchSize: 5, reportsPartialFailures: true, functionId: 'Main' },
    { kind: 'stream', maximumRetryAttempts: 2, bisectOnError: true, sourceArn: `${TABLE_ARN}/stream/local` },
  ]);
  expect(assembly.schedules).toMatchObject([{ name: 'main-http', everySeconds: 3600, enabled: true }]);
  expect(assembly.routes.find((each) => each.routeKey === 'GET /payment')?.responseParameters).toEqual({
    '402': { 'overwrite:header.www-authenticate': '$response.header.x-payment-challenge' },
  });
});

test('error: what cannot be resolved is named with its stack', () => {
  const broken = (value: unknown) =>
    loadAssembly(
      writeAssembly('/tmp/records', (_app, stores) => {
        (stores['Resources'] as Record<string, unknown>)['Broken'] = { Type: 'AWS::SNS::Topic', Properties: { TopicName: value } };
      }),
      {},
      ENDPOINT,
    );
  expect(() => broken({ 'Fn::Transform': {} })).toThrow('Stores: Fn::Transform is not known here');
  expect(() => broken({ Ref: 'Nothing' })).toThrow('Stores: no resource Nothing');
  expect(() => broken({ 'Fn::ImportValue': 'Nowhere' })).toThrow('no stack exports Nowhere');
});
