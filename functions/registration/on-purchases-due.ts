// Every few minutes: finishes purchases of names whose request died between payment and account.
import { openAccounts, openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openPurchases } from '#adapters/dynamo/purchase-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openChainAccess } from '#adapters/evm/chain-access.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { finishPurchases } from '#domain/identity/finish-purchases.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { optional, readConfig } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';

const table = openTable(readConfig().tableName);
const { buyer, names } = openChainAccess(openSecret(optional('CHAIN_SECRET')));
const ports = {
  buyer,
  names,
  purchases: openPurchases(table),
  accounts: openAccounts(table),
  handles: openHandles(table),
  mailboxes: openMailboxes(table),
  committer: openCommitter(table),
  ids: systemIds,
};

export const handler = scheduleHandler('purchases finished', (now, hasTime) => finishPurchases(ports, now, hasTime));
