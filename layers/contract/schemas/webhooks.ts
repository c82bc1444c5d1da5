// Fields of webhooks and of the log of their deliveries.
import * as z from 'zod';
import { cursorQuery, limitQuery, looseId, nextCursor, successField, unixSeconds } from './fields.ts';

/** Whether it is https, public and resolvable is the use case's to judge; the schema bounds the size. */
const webhookUrl = () => z.string().min(1).max(2048).describe('https address of your endpoint: public, no user info, no IP literal.');
const webhookEvents = () =>
  z
    .array(z.enum(['message.received']))
    .min(1)
    .max(10)
    .describe('Events to hear of.');

const WebhookFields = {
  id: z.string().describe('Id of the webhook.'),
  url: z.string().describe('Where deliveries go.'),
  events: z.array(z.string()).describe('Events it hears of.'),
  active: z
    .boolean()
    .describe('Whether it gets deliveries; false after a 410, after five days of nothing but failures, or when you say so.'),
  created_at: unixSeconds('When the webhook was made.'),
};

const secretField = () => z.string().describe('Signing secret, prefix `whsec_`; shown only in this reply.');

export const CreateWebhookRequest = z.object({ url: webhookUrl(), events: webhookEvents().default(['message.received']) });
export const CreateWebhookReply = z.looseObject({ ...WebhookFields, secret: secretField() });

export const Webhook = z.looseObject({
  ...WebhookFields,
  disabled_reason: z.string().nullable().optional().describe('Why the service switched it off, or null.'),
});
export const ListWebhooksReply = z.looseObject({ webhooks: z.array(Webhook).describe('The webhooks of the account.') });

export const WebhookParams = z.object({ id: looseId('Id of the webhook.') });

export const UpdateWebhookRequest = z
  .object({
    url: webhookUrl().optional(),
    events: webhookEvents().optional(),
    active: z.boolean().optional().describe('Switch deliveries on or off; true also revives one that was disabled.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), { error: 'url, events or active is required' });

export const RotateWebhookReply = z.looseObject({
  ...WebhookFields,
  secret: secretField(),
  previous_secret_expires_at: unixSeconds('Until when the old secret signs too.'),
});

export const TestWebhookReply = z.looseObject({
  success: successField(),
  delivery_id: z.string().describe('The test delivery; find its outcome in the deliveries.'),
});

export const WebhookDelivery = z.looseObject({
  id: z.string().describe('Id of the delivery; its `webhook-id` header.'),
  type: z.string().describe('Event type.'),
  email_id: z.string().nullable().describe('The message it tells of; null for a test.'),
  state: z.string().describe('`pending`, `delivered` or `dead`.'),
  attempt: z.int().describe('Attempts made.'),
  status: z.int().nullable().describe('HTTP status of the last attempt; null when there was no answer.'),
  error: z.string().nullable().describe('Why the last attempt failed, or null.'),
  latency_ms: z.int().nullable().describe('Milliseconds of the last attempt.'),
  response_excerpt: z.string().nullable().describe('Beginning of the last answer.'),
  attempted_at: unixSeconds('When the last attempt was made; null before the first.').nullable(),
  next_attempt_at: unixSeconds('When the next attempt is due; null when there is none.').nullable(),
  created_at: unixSeconds('When the event happened.'),
});

export const ListWebhookDeliveriesQuery = z.object({ limit: limitQuery(20, 100), cursor: cursorQuery() });
export const ListWebhookDeliveriesReply = z.looseObject({
  deliveries: z.array(WebhookDelivery).describe('Of the last 100 deliveries, newest first.'),
  next_cursor: nextCursor(),
});

export const WebhookDeliveryParams = z.object({ id: looseId('Id of the webhook.'), deliveryId: looseId('Id of the delivery.') });
export const RedeliverWebhookReply = z.looseObject({
  success: successField(),
  delivery_id: z.string().describe('The same id: a redelivery carries the same `webhook-id`.'),
});
