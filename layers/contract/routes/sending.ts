// Rows of sending mail and of uploading large attachments.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/sending.ts';

export const sendingRoutes = {
  sendEmail: defineRoute({
    operationId: 'sendEmail',
    method: 'POST',
    path: '/api/send',
    area: 'sending',
    access: 'account',
    summary: 'Send a message',
    description:
      'Sends one message to one address. Mail to an address of this service is free, is delivered at once and stakes ATTN by itself: the ' +
      "recipient's `receive_price` for a cold mail, 1 for a reply in a thread the recipient began; with too little ATTN it goes unstaked. Mail to " +
      'any other address costs 1 credit; without credits it is 402. Mail to an unregistered 0x address is kept for 30 days until ' +
      'that wallet registers (at most 1 MB); any other unknown local recipient is 404. Free accounts send with a service signature. ' +
      'Free-tier external mail is limited per IP and per handle. A call that times out at the provider answers 200 with ' +
      '`delivery: "queued"`; it is never sent twice, and a refused message gives its credit back. Attachments that do not fit the 5 MB ' +
      'request body go through POST /api/uploads. The whole message may have 40 MB. Send an `Idempotency-Key` to be able to repeat safely.',
    body: schema.SendEmailRequest,
    responses: { 200: { description: 'The message was delivered, or accepted for delivery.', body: schema.SendEmailReply } },
    errors: [
      'invalid_recipient',
      'attachment_too_large',
      'upload_not_found',
      'recipient_suppressed',
      'sender_paused',
      'invalid_transaction_hash',
      'transaction_failed',
      'wrong_recipient',
      'amount_too_low',
      'transaction_not_bound',
      'transaction_too_old',
      'payer_mismatch',
      'invalid_name',
      'name_not_owned',
      'out_of_credits',
      'not_found',
      'transaction_not_found',
      'already_redeemed',
      'prestore_too_large',
      'rate_limited',
      'delivery_failed',
      'chain_unavailable',
      'try_again',
    ],
    limits: ['send-ip', 'send-handle', 'prestore'],
    idempotent: true,
    payment: {
      amount: '10000',
      description:
        "Without a Bearer the call can be paid: 0.01 USDC.e by an MPP `Payment` credential; it is sent from the payer's account and takes " +
        'no credit.',
    },
  }),
  createUpload: defineRoute({
    operationId: 'createUpload',
    method: 'POST',
    path: '/api/uploads',
    area: 'sending',
    access: 'account',
    summary: 'Begin the upload of a large attachment',
    description:
      'Returns an address to send the bytes of one file to, bound to its size and type. When the bytes are there, name `upload_id` in ' +
      '`attachments` of POST /api/send. Files over 10 MB are 400; an upload that is not used expires.',
    body: schema.CreateUploadRequest,
    responses: { 200: { description: 'Where to send the bytes.', body: schema.CreateUploadReply } },
    errors: ['attachment_too_large', 'try_again'],
    idempotent: true,
    secretReply: true,
  }),
} as const;
