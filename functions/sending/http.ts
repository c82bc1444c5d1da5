// Sending mail.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openLimiter } from '#adapters/dynamo/limit-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openSuppressions, openWhitelists } from '#adapters/dynamo/sender-lists.ts';
import { composeMail } from '#adapters/mime/compose-mail.ts';
import { parseAddress } from '#adapters/mime/parse-address.ts';
import { snippetOf } from '#adapters/mime/snippet.ts';
import { readThreadHeaders } from '#adapters/mime/thread-headers.ts';
import { openBucket, openMailObjects } from '#adapters/s3/mail-objects.ts';
import { openCourier } from '#adapters/ses/courier.ts';
import { sendingRoutes } from '#contract/routes/sending.ts';
import { type SentMail, sendMail } from '#domain/mail/send-mail.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { inlineAttachment } from './attachments.ts';
import { outOfCredits, sentBody } from './present.ts';

const { config, table, accounts, options } = openAccess();
const { mailDomain, serviceName, depositAddress } = config;

const ports = {
  accounts,
  mailDomain,
  serviceName,
  parseAddress,
  snippetOf,
  readThreadHeaders,
  composer: { composeMail },
  handles: openHandles(table),
  mailboxes: openMailboxes(table),
  whitelists: openWhitelists(table),
  suppressions: openSuppressions(table),
  limiter: openLimiter(table),
  committer: openCommitter(table),
  objects: openMailObjects(openBucket(required('MAIL_BUCKET'))),
  courier: openCourier({ configurationSet: required('CONFIGURATION_SET') }),
  ids: systemIds,
};

export const handler = areaHandler(sendingRoutes, options, {
  sendEmail: async ({ body }, { account, now, baseUrl, sourceIp, showLimits, commitReply, dropReply }) => {
    const attachments = (body.attachments ?? []).map(inlineAttachment);
    const sent = await sendMail(ports, {
      sender: account,
      draft: { to: body.to, subject: body.subject, body: body.body, html: body.html, attachments },
      inReplyTo: body.in_reply_to,
      sourceIp,
      now,
      showLimits,
      outOfCredits: outOfCredits(baseUrl, depositAddress),
      commitReply: (mail: SentMail) => commitReply(200, sentBody(mail)),
      dropReply,
    });
    return sent.ok ? answerWith(sentBody(sent.value)) : sent;
  },
});
