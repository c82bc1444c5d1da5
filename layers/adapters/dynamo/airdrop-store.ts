// Reads of wave claims. A wave's leaderboard is one partition whose sort key is the rank, so the top costs the same
// however many have claimed.
import type { WaveClaim, WaveClaims } from '#domain/ports/airdrop.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { accountPartition, prefixes, wavePartition } from './keys.ts';
import { type Item, query, queryAll, type Table } from './table.ts';

const readRank = (waveId: string, item: Item): WaveClaim => ({
  waveId,
  wallet: item['w'] as Wallet,
  handle: String(item['hdl']),
  amount: BigInt(item['am'] as number),
  at: Number(item['at']),
});

export const openWaveClaims = (table: Table): WaveClaims => ({
  // As many items as there are waves, which the operator's settings keep few.
  claimedBy: async (wallet) => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': accountPartition(wallet), ':prefix': prefixes.waveClaims },
      ConsistentRead: true,
    });
    return new Set(items.map((item) => String(item['SK']).slice(prefixes.waveClaims.length)));
  },
  largest: async (waveId, limit) => {
    const page = await query(table, {
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': wavePartition(waveId) },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    });
    return page.items.map((item) => readRank(waveId, item));
  },
});
