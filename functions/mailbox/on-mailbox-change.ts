// Follows the table's stream: counts agents and mails, and removes the bytes of deleted mail, should the request that
// deleted it have died before it could.
import type { DynamoDBRecord } from 'aws-lambda';
import { countEvent } from '#adapters/dynamo/statistic-store.ts';
import { readChange } from '#adapters/dynamo/stream-codec.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openBucket, openMailObjects } from '#adapters/s3/mail-objects.ts';
import type { StatisticName } from '#domain/ports/stores.ts';
import { streamHandler } from '#events/stream-batch.ts';
import { systemClock } from '#runtime/clock.ts';
import { readConfig, required } from '#runtime/config.ts';

const table = openTable(readConfig().tableName);
const objects = openMailObjects(openBucket(required('MAIL_BUCKET')));

/** One message counts once: with its arrival, or, when it left the service, with the copy of its sender. */
const countsOf = (record: DynamoDBRecord): readonly StatisticName[] => {
  const change = readChange(record);
  if (change?.kind === 'account.created') return ['agents'];
  if (change?.kind !== 'mail.stored') return [];
  const { folder, delivery } = change.row;
  if (folder === 'sent') return delivery === undefined ? ['sent'] : ['sent', 'emails'];
  return ['received', 'emails'];
};

export const handler = streamHandler(async (record) => {
  const names = countsOf(record);
  if (names.length > 0) await countEvent(table, record.eventID ?? '', names, systemClock.nowSeconds());
  const change = readChange(record);
  if (change?.kind === 'mail.removed') await objects.removeAll(change.row.owner, change.row.id, change.row.attachmentCount);
});
