// Every few minutes: gives the credit of external messages back that nobody confirmed in time.
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openOutbox } from '#adapters/dynamo/outbox-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { sweepOutbox } from '#domain/mail/sweep-outbox.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { readConfig } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';

const table = openTable(readConfig().tableName);
const ports = { outbox: openOutbox(table), committer: openCommitter(table), ids: systemIds };

export const handler = scheduleHandler('outbox entries given up', (now, hasTime) => sweepOutbox(ports, now, hasTime));
