// The log of deliveries in the table. An attempt is counted by a condition on how many there were, so that it can be
// written once only.
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Deliveries, Delivery, DeliveryPage } from '#domain/ports/webhooks.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { dueShard, keys, prefixes, webhookPartition } from './keys.ts';
import { DUE_SHARDS, TABLE_SCHEMA } from './table-schema.ts';
import { getItem, query, type Table } from './table.ts';
import { deliveryItem, readDelivery } from './webhook-codec.ts';

const { dueIndex } = TABLE_SCHEMA;

/** Whether a conditional write went through; anything but a refusal is thrown. */
const wentThrough = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
};

const keyOf = ({ wallet, webhookId, id }: Delivery) => keys.delivery(wallet, webhookId, id);

const begin = (table: Table, delivery: Delivery, until: number): Promise<boolean> =>
  wentThrough(
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...deliveryItem(delivery), claimed: until },
        ConditionExpression: 'attribute_not_exists(PK)',
      }),
    ),
  );

const claim = (table: Table, delivery: Delivery, now: number, until: number): Promise<boolean> =>
  wentThrough(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keyOf(delivery),
        UpdateExpression: 'SET claimed = :until',
        ConditionExpression: 'tr = :tr AND (attribute_not_exists(claimed) OR claimed <= :now)',
        ExpressionAttributeValues: { ':tr': delivery.attempts, ':now': now, ':until': until },
      }),
    ),
  );

const record = async (table: Table, delivery: Delivery, before: number): Promise<void> => {
  const condition = before === 0 ? 'attribute_not_exists(PK) OR tr = :before' : 'tr = :before';
  await wentThrough(
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...deliveryItem(delivery) },
        ConditionExpression: condition,
        ExpressionAttributeValues: { ':before': before },
      }),
    ),
  );
};

const postpone = async (table: Table, delivery: Delivery, sweepAt: number): Promise<void> => {
  await wentThrough(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keyOf(delivery),
        UpdateExpression: 'SET #a = :later',
        ConditionExpression: 'tr = :tr AND #a = :was',
        ExpressionAttributeNames: { '#a': dueIndex.sortKey },
        ExpressionAttributeValues: { ':later': sweepAt, ':tr': delivery.attempts, ':was': delivery.sweepAt },
      }),
    ),
  );
};

const list = async (
  table: Table,
  { wallet, webhookId, limit, after }: { wallet: Wallet; webhookId: string; limit: number; after?: string },
): Promise<DeliveryPage> => {
  const { items, lastKey } = await query(table, {
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
    ExpressionAttributeValues: { ':pk': webhookPartition(wallet), ':prefix': prefixes.deliveries(webhookId) },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: limit,
    ...(after !== undefined && { ExclusiveStartKey: keys.delivery(wallet, webhookId, after) }),
  });
  const deliveries = items.map(readDelivery);
  const last = deliveries.at(-1);
  return { deliveries, ...(lastKey && last && { lastId: last.id }) };
};

const dueInShard = async (table: Table, shard: number, now: number, limit: number): Promise<Delivery[]> => {
  const page = await query(table, {
    IndexName: dueIndex.name,
    KeyConditionExpression: '#s = :s AND #a <= :now',
    ExpressionAttributeNames: { '#s': dueIndex.partitionKey, '#a': dueIndex.sortKey },
    ExpressionAttributeValues: { ':s': dueShard('delivery', shard), ':now': now },
    Limit: limit,
  });
  return page.items.map(readDelivery);
};

export const openDeliveries = (table: Table): Deliveries => ({
  byId: async (wallet, webhookId, id) => {
    const item = await getItem(table, keys.delivery(wallet, webhookId, id), { strong: true });
    return item && readDelivery(item);
  },
  list: (page) => list(table, page),
  begin: (delivery, until) => begin(table, delivery, until),
  claim: (delivery, now, until) => claim(table, delivery, now, until),
  record: (delivery, before) => record(table, delivery, before),
  remove: async (wallet, webhookId, id) => {
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: keys.delivery(wallet, webhookId, id) }));
  },
  due: async (now, limit) => {
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => dueInShard(table, shard, now, limit));
    return (await Promise.all(shards)).flat();
  },
  postpone: (delivery, sweepAt) => postpone(table, delivery, sweepAt),
});
