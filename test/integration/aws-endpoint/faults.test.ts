// Injected faults look to the SDK exactly like the real thing.
import { DynamoDBClient, GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FaultRequest, Faults } from '#infra/local/aws/faults.ts';
import { allow, BUCKET, type ClientSettings, type Harness, startHarness, TABLE } from './harness.ts';

let harness: Harness;
let settings: ClientSettings;
let table: DynamoDBClient;
beforeAll(async () => {
  harness = await startHarness();
  settings = harness.role('worker', allow('*'));
  table = new DynamoDBClient(settings);
});
afterAll(() => harness.close());
afterEach(() => harness.faults.clear());

const put = (sk: string) => new PutItemCommand({ TableName: TABLE, Item: { PK: { S: 'fault' }, SK: { S: sk } } });
const inject = (...faults: FaultRequest[]) => harness.faults.add(faults);
const isStored = async (sk: string): Promise<boolean> => {
  const found = await table.send(
    new GetItemCommand({ TableName: TABLE, Key: { PK: { S: 'fault' }, SK: { S: sk } }, ConsistentRead: true }),
  );
  return found.Item !== undefined;
};
/** A client that gives up soon, so that an answer that never comes is an error. */
const impatient = (): DynamoDBClient =>
  new DynamoDBClient({ ...settings, requestHandler: { requestTimeout: 200, throwOnRequestTimeout: true } });

describe('the list', () => {
  test('after skips, count repeats, and what is used up is gone', () => {
    const faults = new Faults();
    faults.add([{ service: 'dynamodb', operation: 'PutItem', after: 1, count: 2, effect: 'throttle' }]);
    const taken = ['PutItem', 'GetItem', 'PutItem', 'PutItem', 'PutItem'].map((operation) => faults.take('dynamodb', operation));
    expect(taken).toStrictEqual([undefined, undefined, 'throttle', 'throttle', undefined]);
    expect(faults.list()).toStrictEqual([]);
  });

  test.each([
    [{ service: 5, effect: 'timeout' }, 'service must be one of dynamodb, s3'],
    [{ service: 'dynmodb', effect: 'timeout' }, 'service must be one of dynamodb, s3'],
    [{ operation: { a: 1 }, effect: 'timeout' }, 'operation must be the name of an AWS operation'],
    [{ operation: '', effect: 'timeout' }, 'operation must be the name of an AWS operation'],
    [{ effect: 'throttle', times: 3 }, 'no other members than service, operation, after, count, effect'],
    [{ effect: 'throttle', count: 0 }, 'count must be a whole number of at least 1'],
    [{ effect: 'throttle', count: -1 }, 'count must be a whole number of at least 1'],
    [{ effect: 'throttle', after: '2' }, 'after must be a whole number of at least 0'],
    [{ effect: 'slow' }, 'effect must be one of throttle'],
    [null, 'a fault must be a JSON object'],
    [['throttle'], 'a fault must be a JSON object'],
  ])('%j is refused with what there is, and leaves the list as it was', (malformed, sentence) => {
    const faults = new Faults();
    const add = (): void => faults.add([{ effect: 'throttle' }, malformed]);
    expect(add).toThrow(TypeError);
    expect(add).toThrow(sentence);
    expect(faults.list()).toStrictEqual([]);
  });

  test('names of services count in any case, and * is any', () => {
    const faults = new Faults();
    faults.add([
      { service: 'DynamoDB', operation: 'putitem', effect: 'throttle' },
      { service: '*', operation: '*', effect: 'conflict' },
    ]);
    expect([faults.take('dynamodb', 'PutItem'), faults.take('s3', 'GetObject')]).toStrictEqual(['throttle', 'conflict']);
  });
});

describe('errors', () => {
  test('throttle and error_500 carry the class names of each service', async () => {
    const queue = { QueueUrl: `${settings.endpoint}/000000000000/ses-events`, MessageBody: 'x' };
    const raw = { Data: Buffer.from('From: a@agents.example.test\r\n\r\nx') };
    inject({ effect: 'throttle', count: 4 });
    await expect(table.send(put('t'))).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    await expect(new S3Client(settings).send(new PutObjectCommand({ Bucket: BUCKET, Key: 'k', Body: 'x' }))).rejects.toMatchObject({
      name: 'SlowDown',
    });
    await expect(new SESClient(settings).send(new SendRawEmailCommand({ RawMessage: raw }))).rejects.toMatchObject({ name: 'Throttling' });
    await expect(new SESv2Client(settings).send(new SendEmailCommand({ Content: { Raw: raw } }))).rejects.toMatchObject({
      name: 'TooManyRequestsException',
    });
    inject({ effect: 'error_500', count: 2 });
    await expect(table.send(put('t'))).rejects.toMatchObject({ name: 'InternalServerError', $fault: 'server' });
    await expect(new SQSClient(settings).send(new SendMessageCommand(queue))).rejects.toMatchObject({
      name: 'InternalFailure',
      $fault: 'server',
    });
    expect(await isStored('t')).toBe(false);
  });

  test('the SDK retries a throttled call until it succeeds', async () => {
    inject({ service: 'dynamodb', operation: 'PutItem', effect: 'throttle', count: 2 });
    await new DynamoDBClient({ ...settings, maxAttempts: 4 }).send(put('retried'));
    expect(await isStored('retried')).toBe(true);
  });

  test('a conflict cancels a transaction with one reason per item, and a plain write with its own class', async () => {
    inject({ service: 'dynamodb', effect: 'conflict', count: 2 });
    const parts = ['c1', 'c2', 'c3'].map((sk) => ({ Put: { TableName: TABLE, Item: { PK: { S: 'fault' }, SK: { S: sk } } } }));
    await expect(table.send(new TransactWriteItemsCommand({ TransactItems: parts }))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }, { Code: 'None' }],
    });
    await expect(table.send(put('c1'))).rejects.toMatchObject({ name: 'TransactionConflictException' });
    expect(await isStored('c1')).toBe(false);
  });
});

describe('calls without an answer', () => {
  test('timeout: the call did not take effect', async () => {
    inject({ service: 'dynamodb', operation: 'PutItem', effect: 'timeout' });
    await expect(impatient().send(put('lost'))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await isStored('lost')).toBe(false);
  });

  test('timeout_after_commit: the call took effect', async () => {
    inject({ service: 'dynamodb', operation: 'PutItem', effect: 'timeout_after_commit' });
    await expect(impatient().send(put('kept'))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await isStored('kept')).toBe(true);
  });

  test('crash_before and crash_after kill the environment on either side of the call', async () => {
    inject({ operation: 'PutItem', effect: 'crash_before' }, { operation: 'PutItem', effect: 'crash_after' });
    await expect(table.send(put('before'))).rejects.toThrow();
    expect([harness.crashed.splice(0), await isStored('before')]).toStrictEqual([['worker.1'], false]);
    await expect(table.send(put('after'))).rejects.toThrow();
    expect([harness.crashed.splice(0), await isStored('after')]).toStrictEqual([['worker.1'], true]);
  });

  test('a streamed answer that is thrown away does not disturb the next call', async () => {
    const s3 = new S3Client(settings);
    await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'streamed', Body: Buffer.alloc(2_000_000) }));
    inject({ service: 's3', operation: 'GetObject', effect: 'crash_after' });
    await expect(s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'streamed' }))).rejects.toThrow();
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'streamed' }));
    expect((await Body?.transformToByteArray())?.length).toBe(2_000_000);
  });
});
