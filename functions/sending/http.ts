// Sending mail.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openBonds } from '#adapters/dynamo/bond-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openLimiter } from '#adapters/dynamo/limit-store.ts';
import { openStandings, openUploads } from '#adapters/dynamo/mail-area-store.ts';
import { openAliases } from '#adapters/dynamo/name-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openSuppressions, openWhitelists } from '#adapters/dynamo/sender-lists.ts';
import { openChainClients, openNames } from '#adapters/evm/chain-access.ts';
import { composeMail } from '#adapters/mime/compose-mail.ts';
import { parseAddress } from '#adapters/mime/parse-address.ts';
import { snippetOf } from '#adapters/mime/snippet.ts';
import { readThreadHeaders } from '#adapters/mime/thread-headers.ts';
import { openBucket, openMailObjects } from '#adapters/s3/mail-objects.ts';
import { openUploadObjects } from '#adapters/s3/upload-objects.ts';
import { openCourier } from '#adapters/ses/courier.ts';
import { wireMessageIdsIn } from '#adapters/ses/wire-ids.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { sendingRoutes } from '#contract/routes/sending.ts';
import { type SentMail, sendMail } from '#domain/mail/send-mail.ts';
import { type BegunUpload, beginUpload } from '#domain/mail/uploads.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { optional, required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { outgoingAttachments } from './attachments.ts';
import { outOfCredits, sentBody, uploadBody } from './present.ts';

const { config, table, accounts, options } = openAccess();
const { mailDomain, serviceName, operatorEmail, depositAddress } = config;
const names = openNames(openChainClients(openSecret(optional('CHAIN_SECRET'))));
const bucket = openBucket(required('MAIL_BUCKET'));

const ports = {
  accounts,
  mailDomain,
  serviceName,
  operatorEmail,
  parseAddress,
  snippetOf,
  readThreadHeaders,
  composer: { composeMail },
  names,
  aliases: openAliases(table),
  bonds: openBonds(table),
  handles: openHandles(table),
  mailboxes: openMailboxes(table),
  whitelists: openWhitelists(table),
  suppressions: openSuppressions(table),
  limiter: openLimiter(table),
  committer: openCommitter(table),
  objects: openMailObjects(bucket),
  uploads: openUploads(table),
  uploadObjects: openUploadObjects(bucket),
  standings: openStandings(table),
  wireMessageIds: wireMessageIdsIn(optional('AWS_REGION', 'us-east-1')),
  courier: openCourier({ configurationSet: required('CONFIGURATION_SET') }),
  ids: systemIds,
};

export const handler = areaHandler(sendingRoutes, options, {
  sendEmail: async ({ body }, { account, now, baseUrl, sourceIp, showLimits, commitReply, dropReply }) => {
    const attachments = await outgoingAttachments(ports, account.wallet, body.attachments ?? [], now);
    if (!attachments.ok) return attachments;
    const sent = await sendMail(ports, {
      sender: account,
      draft: { to: body.to, subject: body.subject, body: body.body, html: body.html, attachments: attachments.value },
      inReplyTo: body.in_reply_to,
      fromHandle: body.from_handle,
      sourceIp,
      now,
      showLimits,
      outOfCredits: outOfCredits(baseUrl, depositAddress),
      commitReply: (mail: SentMail) => commitReply(200, sentBody(mail)),
      dropReply,
    });
    return sent.ok ? answerWith(sentBody(sent.value)) : sent;
  },
  createUpload: async ({ body }, { wallet, now, commitReply }) => {
    const { filename, content_type: contentType, size: sizeBytes } = body;
    const reply = (begun: BegunUpload) => commitReply(200, uploadBody(begun));
    const begun = await beginUpload(ports, { wallet, filename, contentType, sizeBytes, now, commitReply: reply });
    return begun.ok ? answerWith(uploadBody(begun.value)) : begun;
  },
});
