// Statistics: counted from the table's stream into shards, so that no request writes anything global.
import { fail, InfrastructureError } from '#domain/errors.ts';
import type { StatisticName, Statistics } from '#domain/ports/stores.ts';
import { keys, statisticPartition } from './keys.ts';
import { queryAll, type Table } from './table.ts';
import { transact } from './transact.ts';

const SHARDS = 8;
/** Longer than the stream keeps its records (24 h), so that no redelivery is counted again. */
const REMEMBERED_SECONDS = 2 * 86_400;

const shardOf = (eventId: string): number => eventId.charCodeAt(eventId.length - 1) % SHARDS;

export const openStatistics = (table: Table): Statistics => ({
  read: async (name) => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': statisticPartition(name) },
    });
    return items.reduce((sum, item) => sum + Number(item['n']), 0);
  },
});

/** Counts one stream event once, however often the stream delivers it: the count and its mark are one transaction. */
export const countEvent = async (table: Table, eventId: string, names: readonly StatisticName[], now: number): Promise<void> => {
  const mark = { ...keys.countedEvent(eventId), type: 'counted', ttl: now + REMEMBERED_SECONDS };
  const result = await transact(table, [
    {
      action: { Put: { TableName: table.name, Item: mark, ConditionExpression: 'attribute_not_exists(PK)' } },
      refused: () => fail('already_claimed'),
    },
    ...names.map((name) => ({
      action: {
        Update: {
          TableName: table.name,
          Key: keys.statistic(name, shardOf(eventId)),
          UpdateExpression: 'ADD n :one SET #type = :type',
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: { ':one': 1, ':type': 'statistic' },
        },
      },
      refused: () => fail('try_again'),
    })),
  ]);
  // Counted before is done; anything else has to come again.
  if (!result.ok && result.code !== 'already_claimed') throw new InfrastructureError('an event could not be counted');
};
