// The outbox: external messages that are charged and not yet settled.
import type { OutboxEntry } from '#domain/ports/changes.ts';
import type { Outbox } from '#domain/ports/stores.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { dueShard, keys } from './keys.ts';
import { DUE_SHARDS, TABLE_SCHEMA } from './table-schema.ts';
import { getItem, type Item, query, type Table } from './table.ts';

const { dueIndex } = TABLE_SCHEMA;

const readEntry = (item: Item): OutboxEntry => ({
  wallet: String(item['PK']).slice(2) as Wallet,
  emailId: String(item['SK']).slice(2),
  to: String(item['to']),
  dueAt: Number(item['dueA']),
  createdAt: Number(item['at']),
});

const dueInShard = async (table: Table, shard: number, now: number, limit: number): Promise<OutboxEntry[]> => {
  const page = await query(table, {
    IndexName: dueIndex.name,
    KeyConditionExpression: '#s = :s AND #a <= :now',
    ExpressionAttributeNames: { '#s': dueIndex.partitionKey, '#a': dueIndex.sortKey },
    ExpressionAttributeValues: { ':s': dueShard('outbox', shard), ':now': now },
    Limit: limit,
  });
  return page.items.map(readEntry);
};

export const openOutbox = (table: Table): Outbox => ({
  find: async (wallet, emailId) => {
    const item = await getItem(table, keys.outboxEntry(wallet, emailId), { strong: true });
    return item && readEntry(item);
  },
  due: async (now, limit) => {
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => dueInShard(table, shard, now, limit));
    return (await Promise.all(shards)).flat();
  },
});
