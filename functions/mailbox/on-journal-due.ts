// Every quarter of an hour: puts received mail in line again that nobody dealt with.
import { openSeenMarks } from '#adapters/dynamo/mail-area-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openJournal } from '#adapters/s3/journal.ts';
import { openBucket } from '#adapters/s3/mail-objects.ts';
import { rebuildNotification } from '#adapters/ses/rebuild-notification.ts';
import { openQueue } from '#adapters/sqs/queue.ts';
import { sweepJournal } from '#domain/mail/sweep-journal.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { readConfig, required } from '#runtime/config.ts';
import { sha256Hex } from '#runtime/ids.ts';
import { countMetric } from '#runtime/metrics.ts';

const { tableName, mailDomain } = readConfig();

const ports = {
  mailDomain,
  rebuildNotification,
  journal: openJournal(openBucket(required('MAIL_BUCKET'))),
  seenMarks: openSeenMarks(openTable(tableName)),
  inbound: openQueue(required('INBOUND_QUEUE_URL')),
  count: countMetric,
  digests: { sha256Hex },
};

export const handler = scheduleHandler('received mail put in line again', (now, hasTime) => sweepJournal(ports, now, hasTime));
