// Every few minutes: looks at young payments again, and takes back what a chain forgot.
import { openAccounts } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openChainClients } from '#adapters/evm/chain-access.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { recheckPayments } from '#domain/payments/recheck-payments.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { optional, readConfig } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openPaymentAccess } from '../payment-access.ts';

const table = openTable(readConfig().tableName);
const ports = {
  ...openPaymentAccess(table, openChainClients(openSecret(optional('CHAIN_SECRET')))),
  accounts: openAccounts(table),
  committer: openCommitter(table),
  ids: systemIds,
};

export const handler = scheduleHandler('payments looked at again', (now, hasTime) => recheckPayments(ports, now, hasTime));
