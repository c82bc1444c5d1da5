// The event that webhooks receive: its body, its headers, and how often a delivery is tried.
import * as z from 'zod';
import { EmailAuth } from './schemas/mailbox.ts';

export const EVENT_TYPES = ['message.received'] as const;

/** The body of a `message.received` delivery. */
export const MessageReceivedEvent = z.looseObject({
  type: z.literal('message.received').describe('The event.'),
  timestamp: z.iso.datetime().describe('When the event happened, ISO 8601.'),
  data: z
    .looseObject({
      email_id: z.string().describe('Id of the message; read it at GET /api/inbox/{id}.'),
      from: z.string().describe('Bare, lower-case address of the sender.'),
      to: z.string().describe('The address written to.'),
      subject: z.string().describe('Subject line.'),
      snippet: z.string().describe('First 200 characters of the readable text.'),
      size: z.int().describe('Bytes of the MIME message.'),
      created_at: z.int().describe('When the service got the message. Unix seconds.'),
      has_attachments: z.boolean().describe('Whether the message has attachments.'),
      attn_stake: z.int().nullable().describe('ATTN that the sender staked, or null.'),
      auth: EmailAuth.nullable().describe(
        'What the receiving server found out about the sender; null for mail from inside, whose sender the service itself has proven.',
      ),
    })
    .describe('The message.'),
});

export type MessageReceivedEvent = z.input<typeof MessageReceivedEvent>;

/** Headers of a delivery, by name, with what each holds. */
export const DELIVERY_HEADERS: Readonly<Record<string, string>> = {
  'X-Service-Signature': 'sha256=<hex HMAC-SHA256 of the raw body, keyed with the secret string exactly as returned>',
  'webhook-id': 'Id of the event for this webhook; the same on every retry, so use it to drop duplicates.',
  'webhook-timestamp': 'Unix seconds of this attempt.',
  'webhook-signature': 'Standard Webhooks: space-separated v1,<base64> over id.timestamp.body, one for each living secret.',
};

export { DELIVERY_WAITS_SECONDS } from '#domain/webhooks/attempts.ts';
