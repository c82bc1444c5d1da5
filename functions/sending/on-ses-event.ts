// What SES reports of messages that were handed over.
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openLedgerStatements } from '#adapters/dynamo/ledger-store.ts';
import { openStandings } from '#adapters/dynamo/mail-area-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { InfrastructureError } from '#domain/errors.ts';
import { followDelivery } from '#domain/mail/follow-delivery.ts';
import { isEmailId } from '#domain/values/id.ts';
import { parseWallet } from '#domain/values/wallet.ts';
import { queueHandler } from '#events/queue-batch.ts';
import { isTopicCheck, parseSentEvent } from '#events/ses-notification.ts';
import { systemClock } from '#runtime/clock.ts';
import { readConfig } from '#runtime/config.ts';
import { sha256Hex, systemIds } from '#runtime/ids.ts';

const table = openTable(readConfig().tableName);
const ports = {
  mailboxes: openMailboxes(table),
  committer: openCommitter(table),
  standings: openStandings(table),
  ledger: openLedgerStatements(table),
  digests: { sha256Hex },
  ids: systemIds,
};

export const handler = queueHandler(async (record) => {
  if (isTopicCheck(record.body)) return;
  const event = parseSentEvent(record.body);
  const emailId = event.mail.tags.email_id?.[0] ?? '';
  const wallet = parseWallet(event.mail.tags.wallet?.[0] ?? '');
  // Mail of the service itself, such as bounces and digests, belongs to no mailbox.
  if (!wallet || !isEmailId(emailId)) return;
  const { messageId: wireId, destination } = event.mail;
  const followed = await followDelivery(ports, {
    type: event.eventType,
    wallet,
    emailId,
    wireId,
    // One message has one recipient here.
    to: destination[0]?.toLowerCase(),
    isPermanent: event.bounce?.bounceType === 'Permanent',
    now: systemClock.nowSeconds(),
  });
  if (!followed.ok) throw new InfrastructureError(`an event could not be followed: ${followed.code}`);
});
