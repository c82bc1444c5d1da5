// Reads of accounts and of the handles that point to them.
import type { Accounts, Handles } from '#domain/ports/stores.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { readAccount } from './account-codec.ts';
import { keys } from './keys.ts';
import { getItem, type Table } from './table.ts';

export const openAccounts = (table: Table): Accounts => ({
  byWallet: async (wallet, options) => {
    const item = await getItem(table, keys.account(wallet), options);
    return item && readAccount(item);
  },
});

export const openHandles = (table: Table): Handles => ({
  // Read eventually: whoever acts on the answer has it checked in the transaction (`handle.held`).
  ownerOf: async (handle) => {
    const item = await getItem(table, keys.handle(handle), { strong: false });
    return item && { wallet: item['w'] as Wallet, role: item['role'] as 'handle' | 'alias' };
  },
});
