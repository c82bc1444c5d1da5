// How webhooks and their deliveries read on the wire, and the made-up event of a test.
import type { MessageReceivedEvent } from '#contract/events.ts';
import type { Delivery, DeliveryEvent, Webhook } from '#domain/ports/webhooks.ts';
import type { WebhookWithSecret } from '#domain/webhooks/create-webhook.ts';
import type { RotatedSecret } from '#domain/webhooks/rotate-secret.ts';

const baseRow = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  events: [...webhook.events],
  active: webhook.isActive,
  created_at: webhook.createdAt,
});

export const webhookRow = (webhook: Webhook) => ({
  ...baseRow(webhook),
  disabled_reason: webhook.isActive ? null : webhook.disabledReason,
});

export const createdBody = ({ webhook, secret }: WebhookWithSecret) => ({ ...baseRow(webhook), secret });

export const rotatedBody = ({ previousUntil, ...created }: RotatedSecret) => ({
  ...createdBody(created),
  previous_secret_expires_at: previousUntil,
});

export const deliveryRow = (delivery: Delivery) => ({
  id: delivery.id,
  type: delivery.type,
  email_id: delivery.emailId,
  state: delivery.state,
  attempt: delivery.attempts,
  status: delivery.status,
  error: delivery.error,
  latency_ms: delivery.latencyMs,
  response_excerpt: delivery.excerpt,
  attempted_at: delivery.attemptedAt,
  next_attempt_at: delivery.nextAttemptAt,
  created_at: delivery.createdAt,
});

/** An event like a real one, of a message that does not exist. */
export const testEvent = (to: string, now: number): DeliveryEvent => {
  const event: MessageReceivedEvent = {
    type: 'message.received',
    timestamp: new Date(now * 1000).toISOString(),
    data: {
      email_id: 'test',
      from: 'someone@example.com',
      to,
      subject: 'Test of your webhook',
      snippet: 'This is a test delivery. No such message exists.',
      size: 0,
      created_at: now,
      has_attachments: false,
      attn_stake: null,
      auth: null,
    },
  };
  return { type: event.type, emailId: null, body: JSON.stringify(event), createdAt: now };
};
