// Every minute: ends the stakes of mail that stayed unread for 48 hours.
import { openAccounts } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openDueStakes } from '#adapters/dynamo/due-stake-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { expireDueStakes } from '#domain/mail/expire-due-stakes.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { readConfig } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';

const table = openTable(readConfig().tableName);
const ports = {
  accounts: openAccounts(table),
  mailboxes: openMailboxes(table),
  committer: openCommitter(table),
  dueStakes: openDueStakes(table),
  ids: systemIds,
};

export const handler = scheduleHandler('stakes expired', (now, hasTime) => expireDueStakes(ports, now, hasTime));
