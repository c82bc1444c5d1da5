// Every few minutes: forfeits legacy bonds that nobody answered in time.
import { openBonds } from '#adapters/dynamo/bond-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { forfeitDueBonds } from '#domain/attention/end-bond.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { readConfig } from '#runtime/config.ts';

const table = openTable(readConfig().tableName);
const ports = { bonds: openBonds(table), mailboxes: openMailboxes(table), committer: openCommitter(table) };

export const handler = scheduleHandler('bonds forfeited', (now, hasTime) => forfeitDueBonds(ports, now, hasTime));
