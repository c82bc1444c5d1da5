// Reads of the older USDC attention: pricing, pairs and whitelists.
import type { AttentionConfigs, Pairs, Whitelist, WhitelistEntry } from '#domain/ports/attention.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { accountPartition, keys, prefixes } from './keys.ts';
import { getItem, type Item, queryAll, type Table } from './table.ts';

export const openAttentionConfigs = (table: Table): AttentionConfigs => ({
  of: async (wallet) => {
    const item = await getItem(table, keys.attentionConfig(wallet), { strong: true });
    return (
      item && {
        enabled: item['en'] === true,
        basePrice: Number(item['p0']),
        alpha: Number(item['al']),
        beta: Number(item['be']),
        gamma: Number(item['ga']),
        responseWindowHours: Number(item['rw']),
      }
    );
  },
});

export const openPairs = (table: Table): Pairs => ({
  between: async (recipient, sender) => {
    const item = await getItem(table, keys.pair(recipient, sender), { strong: false });
    return { sent: Number(item?.['se'] ?? 0), replied: Number(item?.['re'] ?? 0) };
  },
});

const readEntry = (item: Item): WhitelistEntry => ({
  id: String(item['id']),
  wallet: String(item['SK']).slice(prefixes.whitelist.length) as Wallet,
  handle: (item['hdl'] as string | null) ?? null,
  note: (item['no'] as string | null) ?? null,
  createdAt: Number(item['at']),
});

const oldestFirst = (a: WhitelistEntry, b: WhitelistEntry): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

export const openWhitelist = (table: Table): Whitelist => ({
  list: async (owner) => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': accountPartition(owner), ':prefix': prefixes.whitelist },
      ConsistentRead: true,
    });
    return items.map(readEntry).sort(oldestFirst);
  },
});
