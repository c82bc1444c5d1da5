// Purchases that the service pays for, and the lane that hands out the platform key's nonces one purchase at a time.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { LaneState, NonceLane, Purchase, Purchases, PurchaseState } from '#domain/ports/names.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { dueShard, keys } from './keys.ts';
import { DUE_SHARDS, TABLE_SCHEMA } from './table-schema.ts';
import { getItem, type Item, query, type Table } from './table.ts';

/** Names are bought on Base. */
export const PLATFORM_CHAIN_ID = 8453;
/** Longer than any function that holds the lane runs, so that two never hold it. */
const LEASE_SECONDS = 60;
/** A purchase takes a few seconds; a request that waits longer than this should rather come again. */
const WAIT_TRIES_MAX = 12;
const WAIT_MS = 500;

const { dueIndex } = TABLE_SCHEMA;

const readPurchase = (item: Item): Purchase => ({
  wallet: item['w'] as Wallet,
  label: String(item['label']),
  state: item['st'] as PurchaseState,
  raw: String(item['raw']),
  hash: String(item['hash']),
  nonce: Number(item['nonce']),
  priceWei: BigInt(String(item['wei'])),
  createdAt: Number(item['at']),
  dueAt: Number(item['dueA'] ?? 0),
});

const dueInShard = async (table: Table, shard: number, now: number, limit: number): Promise<Purchase[]> => {
  const page = await query(table, {
    IndexName: dueIndex.name,
    KeyConditionExpression: '#s = :s AND #a <= :now',
    ExpressionAttributeNames: { '#s': dueIndex.partitionKey, '#a': dueIndex.sortKey },
    ExpressionAttributeValues: { ':s': dueShard('purchase', shard), ':now': now },
    Limit: limit,
  });
  return page.items.map(readPurchase);
};

export const openPurchases = (table: Table): Purchases => ({
  find: async (wallet) => {
    const item = await getItem(table, keys.purchase(wallet), { strong: true });
    return item && readPurchase(item);
  },
  due: async (now, limit) => {
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => dueInShard(table, shard, now, limit));
    return (await Promise.all(shards)).flat();
  },
});

const isRefused = (error: unknown): boolean => error instanceof Error && error.name === 'ConditionalCheckFailedException';

const tryTake = async (table: Table, token: string, now: number): Promise<LaneState | 'busy'> => {
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.nonceLane(PLATFORM_CHAIN_ID),
        UpdateExpression: 'SET tok = :tok, lease = :lease, #type = :type',
        ConditionExpression: 'attribute_not_exists(lease) OR lease <= :now',
        ExpressionAttributeNames: { '#type': 'type' },
        ExpressionAttributeValues: { ':tok': token, ':lease': now + LEASE_SECONDS, ':now': now, ':type': 'lane' },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return { nextNonce: Number(Attributes?.['nextNonce'] ?? 0), current: Attributes?.['cur'] as Wallet | undefined };
  } catch (error) {
    if (isRefused(error)) return 'busy';
    throw error;
  }
};

const take = async (table: Table, token: string, now: number): Promise<LaneState | 'busy'> => {
  for (let attempt = 1; ; attempt += 1) {
    const state = await tryTake(table, token, now);
    if (state !== 'busy' || attempt === WAIT_TRIES_MAX) return state;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
};

const release = async (table: Table, token: string, isSettled: boolean): Promise<void> => {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.nonceLane(PLATFORM_CHAIN_ID),
        UpdateExpression: `REMOVE tok, lease${isSettled ? ', cur' : ''}`,
        ConditionExpression: 'tok = :tok',
        ExpressionAttributeValues: { ':tok': token },
      }),
    );
  } catch (error) {
    // The hold ran out and went to someone else, who sees to what is left.
    if (!isRefused(error)) throw error;
  }
};

export const openNonceLane = (table: Table): NonceLane => ({
  take: (token, now) => take(table, token, now),
  release: (token, isSettled) => release(table, token, isSettled),
});
