// A mail that was stored becomes one job for each endpoint that wants to hear of it. Repeating it makes the same ids.
import type { MailRow } from '../mail/mail.ts';
import type { DeliveryEvent, DeliveryJob, DeliveryQueue, Lane, Webhook, Webhooks } from '../ports/webhooks.ts';
import type { Ids } from '../values/id.ts';

export interface AnnouncePorts {
  readonly webhooks: Pick<Webhooks, 'list'>;
  readonly queue: DeliveryQueue;
  readonly ids: Pick<Ids, 'derived'>;
}

/**
 * Whether a mail is news to its owner's programs. Quarantined mail is not: nobody should open it by accident. Nor is
 * mail that waits for a wallet to register: whoever registers is told how much waits.
 */
export const isAnnounced = (row: MailRow): boolean => row.folder === 'inbox' && row.expiresAt === undefined;

/** The lane of an endpoint's first attempts. */
export const laneOf = (webhook: Webhook): Lane => (webhook.standing === 'slow' ? 'retries' : 'deliveries');

const jobFor = (ids: AnnouncePorts['ids'], webhook: Webhook, row: MailRow, event: DeliveryEvent): DeliveryJob => ({
  wallet: row.owner,
  webhookId: webhook.id,
  deliveryId: ids.derived(row.createdAt, `delivery ${webhook.id} ${row.id}`),
  attempt: 1,
  deferrals: 0,
  event,
});

/** Queues the jobs of a stored mail; throws when not all of them could be queued, and is then repeated. */
export const announceMail = async (ports: AnnouncePorts, row: MailRow, eventOf: (row: MailRow) => DeliveryEvent): Promise<void> => {
  if (!isAnnounced(row)) return;
  const webhooks = await ports.webhooks.list(row.owner);
  const event = eventOf(row);
  const interested = webhooks.filter(({ isActive, events }) => isActive && events.includes(event.type));
  const lanes: readonly Lane[] = ['deliveries', 'retries'];
  await Promise.all(
    lanes.map((lane) => {
      const entries = interested
        .filter((webhook) => laneOf(webhook) === lane)
        .map((webhook) => ({ job: jobFor(ports.ids, webhook, row, event), delaySeconds: 0 }));
      return entries.length > 0 ? ports.queue.send(lane, entries) : undefined;
    }),
  );
};
