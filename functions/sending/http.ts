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
import { fail } from '#domain/errors.ts';
import { payersAccount, settlePaidSend } from '#domain/mail/paid-send.ts';
import { sendMail } from '#domain/mail/send-mail.ts';
import type { SentMail } from '#domain/mail/send-request.ts';
import { type BegunUpload, beginUpload } from '#domain/mail/uploads.ts';
import { checkMailPayment, type MailPaymentClaim, type PaidMail } from '#domain/payments/mail-payment.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { optional, required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { openPayPerCall, withPayments } from '../paid-calls.ts';
import { openPaymentAccess } from '../payment-access.ts';
import { outgoingAttachments } from './attachments.ts';
import { outOfCredits, sentBody, uploadBody } from './present.ts';

const { config, table, accounts, options } = openAccess();
const { mailDomain, serviceName, operatorEmail, depositAddress } = config;
const chainClients = openChainClients(openSecret(optional('CHAIN_SECRET')));
const names = openNames(chainClients);
const paymentPorts = { ...openPaymentAccess(table, chainClients), ids: systemIds };
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
  checkMailPayment: (claim: MailPaymentClaim, mail: PaidMail) => checkMailPayment(paymentPorts, claim, mail),
};

export const handler = areaHandler(sendingRoutes, withPayments(options, openPayPerCall(config, table)), {
  sendEmail: async ({ body }, { wallet, account, now, baseUrl, sourceIp, showLimits, charge, commitReply, dropReply }) => {
    // A payer without an account gets one with its address; other names come with a registration.
    if (!account && body.from_handle !== undefined) return fail('no_handle');
    const attachments = await outgoingAttachments(ports, wallet, body.attachments ?? [], now);
    if (!attachments.ok) return attachments;
    const sent = await sendMail(ports, {
      sender: payersAccount(account, wallet, now),
      draft: { to: body.to, subject: body.subject, body: body.body, html: body.html, attachments: attachments.value },
      inReplyTo: body.in_reply_to,
      fromHandle: body.from_handle,
      usdcPayment: body.usdc_payment && { txHash: body.usdc_payment.tx_hash, amount: body.usdc_payment.amount },
      sourceIp,
      now,
      showLimits,
      outOfCredits: outOfCredits(baseUrl, depositAddress),
      charge,
      commitReply: async (mail: SentMail) => [
        ...(charge ? await settlePaidSend(ports, { wallet, account, now, charge }, mail) : []),
        ...(await commitReply(200, sentBody(mail))),
      ],
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
