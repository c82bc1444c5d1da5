// Follows the table's stream: tells webhooks of new mail, counts agents and mails, and removes the bytes of deleted mail,
// should the request that deleted it have died before it could.
import type { DynamoDBRecord } from 'aws-lambda';
import { type CountedEvent, countEvents } from '#adapters/dynamo/statistic-store.ts';
import { readChange, type TableChange } from '#adapters/dynamo/stream-codec.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openWebhooks } from '#adapters/dynamo/webhook-store.ts';
import { openBucket, openMailObjects } from '#adapters/s3/mail-objects.ts';
import { openDeliveryQueue } from '#adapters/sqs/delivery-queue.ts';
import type { StatisticName } from '#domain/ports/stores.ts';
import { announceMails } from '#domain/webhooks/announce-mail.ts';
import { streamHandler } from '#events/stream-batch.ts';
import { systemClock } from '#runtime/clock.ts';
import { readConfig, required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { messageReceived } from './message-event.ts';

const table = openTable(readConfig().tableName);
const objects = openMailObjects(openBucket(required('MAIL_BUCKET')));
const announcing = {
  webhooks: openWebhooks(table),
  queue: openDeliveryQueue({ deliveries: required('DELIVERIES_QUEUE_URL'), retries: required('RETRIES_QUEUE_URL') }),
  ids: systemIds,
};

/** One message counts once: with its arrival, or, when it left the service, with the copy of its sender. */
const statisticsOf = (change: TableChange): readonly StatisticName[] => {
  if (change.kind === 'account.created') return ['agents'];
  if (change.kind !== 'mail.stored') return [];
  const { folder, delivery } = change.row;
  if (folder === 'sent') return delivery === undefined ? ['sent'] : ['sent', 'emails'];
  return ['received', 'emails'];
};

const countedIn = (record: DynamoDBRecord): CountedEvent[] => {
  const change = readChange(record);
  const names = change ? statisticsOf(change) : [];
  return names.length > 0 ? [{ id: record.eventID ?? '', names }] : [];
};

export const handler = streamHandler(async (records) => {
  const changes = records.map(readChange);
  const stored = changes.flatMap((change) => (change?.kind === 'mail.stored' ? [change.row] : []));
  const removed = changes.flatMap((change) => (change?.kind === 'mail.removed' ? [change.row] : []));
  await Promise.all([
    countEvents(table, records.flatMap(countedIn), systemClock.nowSeconds()),
    ...removed.map(({ owner, id, attachmentCount }) => objects.removeAll(owner, id, attachmentCount)),
  ]);
  // Last: what fails above comes again, and should not be announced again with it.
  await announceMails(announcing, stored, messageReceived);
});
