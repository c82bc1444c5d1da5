// Reads of legacy bonds.
import type { Bond } from '#domain/attention/bonds.ts';
import type { BondPage, Bonds } from '#domain/ports/attention.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { readBond } from './bond-codec.ts';
import { duePages } from './due-index.ts';
import { accountPartition, keys, prefixes } from './keys.ts';
import { getItem, query, queryAll, type Table } from './table.ts';

const ofWallet = (wallet: Wallet) => ({
  KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
  ExpressionAttributeValues: { ':pk': accountPartition(wallet), ':prefix': prefixes.bonds },
  ConsistentRead: true,
  ScanIndexForward: false,
});

const page = async (table: Table, request: { wallet: Wallet; limit: number; cursor?: string }): Promise<BondPage> => {
  const { wallet, limit, cursor } = request;
  const found = await query(table, {
    ...ofWallet(wallet),
    Limit: limit,
    ...(cursor !== undefined && { ExclusiveStartKey: keys.bond(wallet, cursor) }),
  });
  const bonds = found.items.map(readBond);
  const last = bonds.at(-1);
  return { bonds, ...(found.lastKey && last && { nextCursor: last.emailId }) };
};

async function* duePagesOf(table: Table, now: number): AsyncGenerator<readonly Bond[]> {
  for await (const items of duePages(table, 'bond', now)) yield items.map(readBond);
}

export const openBonds = (table: Table): Bonds => ({
  find: async (recipient, emailId) => {
    const item = await getItem(table, keys.bond(recipient, emailId), { strong: true });
    return item?.['dir'] === 'in' ? readBond(item) : undefined;
  },
  page: (request) => page(table, request),
  all: async (wallet) => (await queryAll(table, ofWallet(wallet))).map(readBond),
  duePages: (now) => duePagesOf(table, now),
});
