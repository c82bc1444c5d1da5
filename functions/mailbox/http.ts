// Reading, marking and deleting mail.
import { openBonds } from '#adapters/dynamo/bond-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { contentDisposition } from '#adapters/mime/filenames.ts';
import { openBucket, openMailObjects } from '#adapters/s3/mail-objects.ts';
import { mailboxRoutes } from '#contract/routes/mailbox.ts';
import { notFound } from '#domain/errors.ts';
import { deleteMail } from '#domain/mail/delete-mail.ts';
import { listBonded } from '#domain/mail/list-bonded.ts';
import { listMail } from '#domain/mail/list-mail.ts';
import { markOrQueue } from '#domain/mail/mark-or-queue.ts';
import { findMail, markMailRead } from '#domain/mail/read-mail.ts';
import { rejectMail } from '#domain/mail/reject-mail.ts';
import type { UnfinishedMarking } from '#domain/ports/mail.ts';
import { lastIdAt } from '#domain/values/id.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { contentReply } from './content.ts';
import { BODY_BYTES_MAX, emailDetail, pageBody, rejectionBody } from './present.ts';

const { table, accounts, options } = openAccess();
const objects = openMailObjects(openBucket(required('MAIL_BUCKET')));
const unfinishedUrl = required('UNFINISHED_QUEUE_URL');

/** Few calls leave work behind, so the queue's client is loaded by the first that does. */
const putUnfinished = async (marking: UnfinishedMarking): Promise<void> => {
  const { openUnfinishedQueue } = await import('#adapters/sqs/unfinished-queue.ts');
  return openUnfinishedQueue(unfinishedUrl).put(marking);
};

const ports = {
  accounts,
  objects,
  contentDisposition,
  mailboxes: openMailboxes(table),
  bonds: openBonds(table),
  committer: openCommitter(table),
  unfinished: { put: putUnfinished },
  ids: systemIds,
};

const ATTACHMENT_INDEX = /^\d{1,4}$/;
/** A mark-read call works this long and leaves the rest to the background; API Gateway gives up after 30 seconds. */
const MARKING_MS = 12_000;

export const handler = areaHandler(mailboxRoutes, options, {
  listInbox: async ({ query }, { account, now }) => {
    const { folder, limit, offset, cursor, bonded, sort, order } = query;
    const pages = { owner: account, limit, offset, now, ...(cursor !== undefined && { cursor }) };
    // Only inbox mail carries bonds: of another folder there is nothing to show.
    if (bonded && folder !== 'inbox') return answerWith(pageBody({ page: { rows: [] }, owner: account, total: 0 }, query));
    if (bonded) {
      const listed = await listBonded(ports, { ...pages, sort, order });
      return listed.ok ? answerWith(pageBody(listed.value, query)) : listed;
    }
    const { page, owner } = await listMail(ports, { ...pages, folder });
    return answerWith(pageBody({ page, owner, total: owner.mail[folder] }, query));
  },
  getEmail: async ({ params }, { account, now, baseUrl }) => {
    const [read, raw] = await Promise.all([
      markMailRead(ports, account, params.id, now),
      objects.getRaw(account.wallet, params.id, BODY_BYTES_MAX),
    ]);
    if (!read.ok) return read;
    const attachments = read.value.attachmentCount > 0 ? await ports.mailboxes.attachments(account.wallet, params.id) : [];
    return answerWith(emailDetail(read.value, attachments, raw ?? new Uint8Array(), baseUrl));
  },
  getRawEmail: async ({ params }, { account }) => {
    const row = await findMail(ports.mailboxes, account, params.id);
    if (!row.ok) return row;
    const { id, sizeBytes } = row.value;
    return contentReply(ports, { row: row.value, sizeBytes, filename: `${id}.eml`, contentType: 'message/rfc822', missing: 'Email' });
  },
  getAttachment: async ({ params }, { account }) => {
    const row = await findMail(ports.mailboxes, account, params.id);
    if (!row.ok) return row;
    const index = ATTACHMENT_INDEX.test(params.index) ? Number(params.index) : -1;
    const attachment = (await ports.mailboxes.attachments(account.wallet, row.value.id))[index];
    if (!attachment) return notFound('Attachment');
    const { sizeBytes, filename, contentType } = attachment;
    return contentReply(ports, { row: row.value, index, sizeBytes, filename, contentType, missing: 'Attachment' });
  },
  markRead: async ({ body }, { account, now }) => {
    const { ids, folder } = body;
    const deadline = Date.now() + MARKING_MS;
    const marking = { owner: account, now, hasTime: () => Date.now() < deadline };
    const isDone = await markOrQueue(ports, marking, ids ? { ids } : { folder, upTo: lastIdAt(Date.now()) });
    const after = (await accounts.byWallet(account.wallet, { strong: true })) ?? account;
    return answerWith({ success: true, folder, unread: folder === 'inbox' ? after.mail.unread : 0, ...(!isDone && { pending: true }) });
  },
  deleteEmail: async ({ params }, { account, now }) => {
    const deleted = await deleteMail(ports, account, params.id, now);
    return deleted.ok ? answerWith({ success: true }) : deleted;
  },
  rejectEmail: async ({ params }, { account, now }) => {
    const rejected = await rejectMail(ports, account, params.id, now);
    return rejected.ok ? answerWith(rejectionBody(rejected.value)) : rejected;
  },
});
