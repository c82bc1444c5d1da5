// Takes in what SES received: reads the journal object, parses it once, and delivers to every envelope recipient.
import { openAccounts, openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openLimiter } from '#adapters/dynamo/limit-store.ts';
import { openSeenMarks, openWireIds } from '#adapters/dynamo/mail-area-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { composeMail } from '#adapters/mime/compose-mail.ts';
import { parseMail } from '#adapters/mime/parse-mail.ts';
import { contentHashOf } from '#adapters/mime/content-hash.ts';
import { openBucket, openMailObjects, readObject } from '#adapters/s3/mail-objects.ts';
import { openBouncer } from '#adapters/ses/bouncer.ts';
import { openServicePost } from '#adapters/ses/service-post.ts';
import { readWireId } from '#adapters/ses/wire-ids.ts';
import { InfrastructureError } from '#domain/errors.ts';
import type { InboundMessage } from '#domain/mail/receive-mail.ts';
import { receiveMessage } from '#domain/mail/receive-message.ts';
import { queueHandler } from '#events/queue-batch.ts';
import { parseReceivedMail, type ReceivedMail } from '#events/ses-notification.ts';
import { readConfig, required } from '#runtime/config.ts';
import { sha256Hex, systemIds } from '#runtime/ids.ts';
import { logger } from '#runtime/logger.ts';
import { countMetric } from '#runtime/metrics.ts';

const { tableName, mailDomain, operatorEmail } = readConfig();
const table = openTable(tableName);
const bucket = openBucket(required('MAIL_BUCKET'));

const ports = {
  mailDomain,
  operatorEmail,
  readWireId,
  accounts: openAccounts(table),
  handles: openHandles(table),
  mailboxes: openMailboxes(table),
  objects: openMailObjects(bucket),
  limiter: openLimiter(table),
  committer: openCommitter(table),
  seenMarks: openSeenMarks(table),
  wireIds: openWireIds(table),
  composer: { composeMail },
  bouncer: openBouncer(mailDomain),
  post: openServicePost({ configurationSet: required('CONFIGURATION_SET') }),
  count: countMetric,
  digests: { sha256Hex },
  ids: systemIds,
};

const readMessage = async ({ mail, receipt }: ReceivedMail): Promise<InboundMessage> => {
  const bytes = await readObject(bucket, receipt.action.objectKey);
  if (!bytes) throw new InfrastructureError(`the journal object ${receipt.action.objectKey} is not there`);
  const receivedAtMs = Date.parse(mail.timestamp);
  return {
    sesId: mail.messageId,
    receivedAt: Math.floor(receivedAtMs / 1000),
    receivedAtMs,
    envelopeFrom: mail.source,
    verdicts: {
      spf: receipt.spfVerdict,
      dkim: receipt.dkimVerdict,
      dmarc: receipt.dmarcVerdict,
      spam: receipt.spamVerdict,
      virus: receipt.virusVerdict,
    },
    parsed: await parseMail(bytes),
    bytes,
    contentHash: contentHashOf(bytes),
  };
};

export const handler = queueHandler(async (record) => {
  const notification = parseReceivedMail(record.body);
  const message = await readMessage(notification);
  const fates = await receiveMessage(ports, message, notification.receipt.recipients);
  logger.info('mail received', { sesId: message.sesId, fates });
});
