// What DynamoDB consumed is counted per function, route and operation, and hidden from callers that did not ask.
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allow, type Harness, startHarness, TABLE } from './harness.ts';

let harness: Harness;
let client: DynamoDBClient;
beforeAll(async () => {
  harness = await startHarness();
  client = new DynamoDBClient(harness.role('mailbox', allow('dynamodb:*')));
});
afterAll(() => harness.close());
beforeEach(() => harness.meter.reset());

const key = (sk: string) => ({ PK: { S: 'meter' }, SK: { S: sk } });
const item = (sk: string) => ({ ...key(sk), ord: { S: sk }, dueS: { S: 'd' }, dueA: { S: sk } });

const metered = (operation: string) =>
  harness.meter
    .snapshot()
    .flatMap((row) =>
      row.calls.filter((call) => call.operation === operation).map((call) => ({ ...call, function: row.function, route: row.route })),
    );

describe('metering', () => {
  test('a put counts its writes to the table, the local and the global index', async () => {
    await client.send(new PutItemCommand({ TableName: TABLE, Item: item('1') }));
    expect(metered('PutItem')).toStrictEqual([
      { service: 'dynamodb', operation: 'PutItem', calls: 1, readUnits: 0, writeUnits: 3, function: 'mailbox', route: 'GET /mailbox' },
    ]);
  });

  test('reads count as reads: half a unit eventual, one strong, two in a transaction', async () => {
    await client.send(new GetItemCommand({ TableName: TABLE, Key: key('1') }));
    await client.send(new GetItemCommand({ TableName: TABLE, Key: key('1'), ConsistentRead: true }));
    await client.send(new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName: TABLE, Key: key('1') } }] }));
    expect(metered('GetItem')).toMatchObject([{ calls: 2, readUnits: 1.5, writeUnits: 0 }]);
    expect(metered('TransactGetItems')).toMatchObject([{ calls: 1, readUnits: 2, writeUnits: 0 }]);
  });

  test('a transaction counts its writes double', async () => {
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [{ Put: { TableName: TABLE, Item: key('t1') } }, { Put: { TableName: TABLE, Item: key('t2') } }],
      }),
    );
    expect(metered('TransactWriteItems')).toMatchObject([{ calls: 1, readUnits: 0, writeUnits: 4 }]);
  });

  test('the figures reach only callers that asked for them', async () => {
    const query = { TableName: TABLE, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'meter' } } } as const;
    expect((await client.send(new QueryCommand(query))).ConsumedCapacity).toBeUndefined();
    expect((await client.send(new QueryCommand({ ...query, ReturnConsumedCapacity: 'NONE' }))).ConsumedCapacity).toBeUndefined();
    const asked = await client.send(new QueryCommand({ ...query, ReturnConsumedCapacity: 'INDEXES' }));
    expect(asked.ConsumedCapacity).toMatchObject({ CapacityUnits: 0.5, Table: { CapacityUnits: 0.5 } });
    expect(metered('Query')).toMatchObject([{ calls: 3, readUnits: 1.5 }]);
  });

  test('a failed condition costs its write and keeps its error class', async () => {
    await client.send(new PutItemCommand({ TableName: TABLE, Item: key('once') }));
    const again = new PutItemCommand({ TableName: TABLE, Item: key('once'), ConditionExpression: 'attribute_not_exists(PK)' });
    await expect(client.send(again)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(metered('PutItem')).toMatchObject([{ calls: 2, writeUnits: 2 }]);
  });

  test('the reasons of a cancelled transaction reach the caller by index', async () => {
    const condition = { ConditionExpression: 'attribute_exists(PK)' };
    const transaction = new TransactWriteItemsCommand({
      TransactItems: [{ Put: { TableName: TABLE, Item: key('free') } }, { Put: { TableName: TABLE, Item: key('missing'), ...condition } }],
    });
    await expect(client.send(transaction)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    });
  });

  test('invocations are summed beside the calls, and a reset forgets both', async () => {
    const sample = { function: 'mailbox', route: 'GET /mailbox', cpuMs: 2, wallMs: 5, requestBytes: 10, responseBytes: 20 };
    harness.meter.recordInvocation({ ...sample, initMs: 40 });
    harness.meter.recordInvocation({ ...sample, initMs: 0 });
    await client.send(new GetItemCommand({ TableName: TABLE, Key: key('1') }));
    expect(harness.meter.snapshot()).toMatchObject([
      { invocations: 2, coldStarts: 1, cpuMs: 4, wallMs: 10, initMs: 40, requestBytes: 20, responseBytes: 40, readUnits: 0.5 },
    ]);
    harness.meter.reset();
    expect(harness.meter.snapshot()).toStrictEqual([]);
  });
});
