// The due index, read shard by shard: whatever has a time to be looked at again, the longest overdue first.
import { type DueKind, dueShard } from './keys.ts';
import { DUE_SHARDS, TABLE_SCHEMA } from './table-schema.ts';
import { type Item, query, type Table } from './table.ts';

const { dueIndex } = TABLE_SCHEMA;
const PAGE = 50;

/** Pages of one kind that are due at `now` (Unix seconds). The index lags a little: who settles an item checks the item itself. */
export async function* duePages(table: Table, kind: DueKind, now: number): AsyncGenerator<readonly Item[]> {
  for (let shard = 0; shard < DUE_SHARDS; shard += 1) {
    let start: Item | undefined;
    do {
      const page = await query(table, {
        IndexName: dueIndex.name,
        KeyConditionExpression: '#s = :s AND #a <= :now',
        ExpressionAttributeNames: { '#s': dueIndex.partitionKey, '#a': dueIndex.sortKey },
        ExpressionAttributeValues: { ':s': dueShard(kind, shard), ':now': now },
        Limit: PAGE,
        ...(start && { ExclusiveStartKey: start }),
      });
      yield page.items;
      start = page.lastKey;
    } while (start);
  }
}
