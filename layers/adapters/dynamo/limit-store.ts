// Fixed-window counters. The bucket is part of the key, so late time-to-live does no harm; a table that does not answer
// within 100 ms lets the call through, because mail matters more than the limit (interface, "Limits" 3).
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Limit, Limiter, LimitState } from '#domain/ports/stores.ts';
import { keys } from './keys.ts';
import { getItem, type Table } from './table.ts';

const PATIENCE_MS = 100;

const stateOf = (limit: Limit, used: number, isAllowed: boolean, now: number): LimitState => ({
  limit,
  remaining: Math.max(0, limit.most - used),
  resetSeconds: limit.windowSeconds - (now % limit.windowSeconds),
  isAllowed,
});

const bucketOf = (limit: Limit, now: number): number => Math.floor(now / limit.windowSeconds);

const take = async (table: Table, limit: Limit, key: string, now: number): Promise<LimitState> => {
  const bucket = bucketOf(limit, now);
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.rateWindow(limit.name, key, bucket),
        UpdateExpression: 'ADD n :one SET #ttl = :ttl, #type = :type',
        ConditionExpression: 'attribute_not_exists(n) OR n < :most',
        ExpressionAttributeNames: { '#ttl': 'ttl', '#type': 'type' },
        ExpressionAttributeValues: { ':one': 1, ':most': limit.most, ':ttl': (bucket + 2) * limit.windowSeconds, ':type': 'window' },
        ReturnValues: 'UPDATED_NEW',
      }),
      { abortSignal: AbortSignal.timeout(PATIENCE_MS) },
    );
    return stateOf(limit, Number(Attributes?.['n'] ?? 1), true, now);
  } catch (error) {
    const isFull = error instanceof Error && error.name === 'ConditionalCheckFailedException';
    return isFull ? stateOf(limit, limit.most, false, now) : stateOf(limit, 0, true, now);
  }
};

const peek = async (table: Table, limit: Limit, key: string, now: number): Promise<LimitState> => {
  try {
    const item = await getItem(table, keys.rateWindow(limit.name, key, bucketOf(limit, now)), { strong: false });
    const used = Number(item?.['n'] ?? 0);
    return stateOf(limit, used, used < limit.most, now);
  } catch {
    return stateOf(limit, 0, true, now);
  }
};

const release = async (table: Table, limit: Limit, key: string, now: number): Promise<void> => {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.rateWindow(limit.name, key, bucketOf(limit, now)),
        UpdateExpression: 'ADD n :back',
        ConditionExpression: 'n > :none',
        ExpressionAttributeValues: { ':back': -1, ':none': 0 },
      }),
      { abortSignal: AbortSignal.timeout(PATIENCE_MS) },
    );
  } catch {
    // The window rolls over by itself.
  }
};

export const openLimiter = (table: Table): Limiter => ({
  take: (limit, key, now) => take(table, limit, key, now),
  peek: (limit, key, now) => peek(table, limit, key, now),
  release: (limit, key, now) => release(table, limit, key, now),
});
