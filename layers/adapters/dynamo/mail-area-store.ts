// Reads of the mail area beyond its mailboxes: uploads, wire ids, standings, marks of things done, digests.
import type { DigestSubscription, DigestSubscriptions, SeenMarks, Standings, Uploads, WireIds } from '#domain/ports/mail.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { dueShard, keys } from './keys.ts';
import { DUE_SHARDS, TABLE_SCHEMA } from './table-schema.ts';
import { getItem, type Item, query, type Table } from './table.ts';

const { dueIndex } = TABLE_SCHEMA;

export const openUploads = (table: Table): Uploads => ({
  // The key holds the wallet: an id of another account is simply not there.
  find: async (wallet, id) => {
    const item = await getItem(table, keys.upload(wallet, id), { strong: true });
    return (
      item && {
        id,
        wallet,
        filename: String(item['fn']),
        contentType: String(item['ct']),
        sizeBytes: Number(item['sz']),
        expiresAt: Number(item['ttl']),
      }
    );
  },
});

export const openWireIds = (table: Table): WireIds => ({
  find: async (wireId) => {
    const item = await getItem(table, keys.wireId(wireId), { strong: false });
    return item && { wallet: item['w'] as Wallet, emailId: String(item['em']) };
  },
});

export const openStandings = (table: Table): Standings => ({
  of: async (wallet) => {
    const item = await getItem(table, keys.standing(wallet), { strong: true });
    const bouncedAt = (item?.['bs'] as readonly number[] | undefined) ?? [];
    return { sent: Number(item?.['n'] ?? 0), bouncedAt: bouncedAt.map(Number), version: Number(item?.['ver'] ?? 0) };
  },
});

export const openSeenMarks = (table: Table): SeenMarks => ({
  has: async (key, now) => {
    const item = await getItem(table, keys.inboundSeen(key), { strong: true });
    return item !== undefined && Number(item['expires']) > now;
  },
});

const readSubscription = (item: Item): DigestSubscription => ({
  wallet: String(item['PK']).slice(2) as Wallet,
  email: String(item['em']),
  dueAt: Number(item['dueA']),
});

const dueInShard = async (table: Table, shard: number, now: number, limit: number): Promise<DigestSubscription[]> => {
  const page = await query(table, {
    IndexName: dueIndex.name,
    KeyConditionExpression: '#s = :s AND #a <= :now',
    ExpressionAttributeNames: { '#s': dueIndex.partitionKey, '#a': dueIndex.sortKey },
    ExpressionAttributeValues: { ':s': dueShard('digest', shard), ':now': now },
    Limit: limit,
  });
  return page.items.map(readSubscription);
};

export const openDigestSubscriptions = (table: Table): DigestSubscriptions => ({
  due: async (now, limit) => {
    const shards = await Promise.all(Array.from({ length: DUE_SHARDS }, (_, shard) => dueInShard(table, shard, now, limit)));
    return shards.flat();
  },
});
