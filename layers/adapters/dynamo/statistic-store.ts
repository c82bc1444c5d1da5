// Statistics: counted from the table's stream into shards, so that no request writes anything global.
import { fail, InfrastructureError } from '#domain/errors.ts';
import type { StatisticName, Statistics } from '#domain/ports/stores.ts';
import { keys, statisticPartition } from './keys.ts';
import { queryAll, type Table } from './table.ts';
import { ACTIONS_MAX, transact, type Write } from './transact.ts';

const SHARDS = 8;
/** Longer than the stream keeps its records (24 h), so that no redelivery is counted again. */
const REMEMBERED_SECONDS = 2 * 86_400;

/** So many marks leave room for the statistics beside them in one transaction. */
const EVENTS_MAX = ACTIONS_MAX - 4;

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

/** Something that happened, by the id that the stream gives it, and the statistics it counts in. */
export interface CountedEvent {
  readonly id: string;
  readonly names: readonly StatisticName[];
}

const markOf = (table: Table, id: string, now: number): Write => ({
  action: {
    Put: {
      TableName: table.name,
      Item: { ...keys.countedEvent(id), type: 'counted', ttl: now + REMEMBERED_SECONDS },
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  },
  refused: () => fail('already_claimed'),
});

const additionTo = (table: Table, name: StatisticName, shard: number, count: number): Write => ({
  action: {
    Update: {
      TableName: table.name,
      Key: keys.statistic(name, shard),
      UpdateExpression: 'ADD n :count SET #type = :type',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: { ':count': count, ':type': 'statistic' },
    },
  },
  refused: () => fail('try_again'),
});

const writesOf = (table: Table, events: readonly CountedEvent[], now: number): Write[] => {
  const counts = new Map<StatisticName, number>();
  for (const name of events.flatMap(({ names }) => names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shard = shardOf(events[0]?.id ?? '');
  return [...events.map(({ id }) => markOf(table, id, now)), ...[...counts].map(([name, count]) => additionTo(table, name, shard, count))];
};

const countTogether = async (table: Table, events: readonly CountedEvent[], now: number): Promise<void> => {
  const result = await transact(table, writesOf(table, events, now));
  if (result.ok) return;
  if (result.code !== 'already_claimed') throw new InfrastructureError('events could not be counted');
  // One of them was counted before; alone that is an end, among others it says nothing about them.
  if (events.length > 1) for (const event of events) await countTogether(table, [event], now);
};

/** Counts events once each, however often the stream delivers them: counts and marks are one transaction. */
export const countEvents = async (table: Table, events: readonly CountedEvent[], now: number): Promise<void> => {
  for (let start = 0; start < events.length; start += EVENTS_MAX) {
    await countTogether(table, events.slice(start, start + EVENTS_MAX), now);
  }
};
