// How a stored mail reads as the event that webhooks receive: what the row shows, and never the message itself.
import type { MessageReceivedEvent } from '#contract/events.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import type { DeliveryEvent } from '#domain/ports/webhooks.ts';
import { emailRow } from './present.ts';

/** The event of a mail; the same mail gives the same bytes. */
export const messageReceived = (row: MailRow): DeliveryEvent => {
  const { id, from_addr, to_addr, subject, snippet, size, created_at, has_attachments, attn_stake, auth } = emailRow(row);
  const event: MessageReceivedEvent = {
    type: 'message.received',
    timestamp: new Date(row.createdAt * 1000).toISOString(),
    data: { email_id: id, from: from_addr, to: to_addr, subject, snippet, size, created_at, has_attachments, attn_stake, auth },
  };
  return { type: event.type, emailId: id, body: JSON.stringify(event), createdAt: row.createdAt };
};
