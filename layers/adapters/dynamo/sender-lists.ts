// Lists that an account keeps of others: whose mail comes in without a price, and whom it may not write to any more.
import type { Suppressions, Whitelists } from '#domain/ports/stores.ts';
import { keys } from './keys.ts';
import { getItem, type Table } from './table.ts';

export const openWhitelists = (table: Table): Whitelists => ({
  holds: async (owner, sender) => (await getItem(table, keys.whitelistEntry(owner, sender), { strong: false })) !== undefined,
});

export const openSuppressions = (table: Table): Suppressions => ({
  reasonFor: async (owner, address) => {
    const item = await getItem(table, keys.suppression(owner, address), { strong: true });
    return item && (item['why'] as 'bounced' | 'complained');
  },
});
