// Mails that were stored become one job each for each endpoint that wants to hear of it. Repeating it makes the same ids.
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

const LANES: readonly Lane[] = ['deliveries', 'retries'];

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

const jobsOf = (ports: AnnouncePorts, webhooks: readonly Webhook[], row: MailRow, event: DeliveryEvent, lane: Lane): DeliveryJob[] =>
  webhooks
    .filter((webhook) => webhook.isActive && webhook.events.includes(event.type) && laneOf(webhook) === lane)
    .map((webhook) => jobFor(ports.ids, webhook, row, event));

/** Queues the jobs of stored mails; throws when not all of them could be queued, and is then repeated. */
export const announceMails = async (
  ports: AnnouncePorts,
  rows: readonly MailRow[],
  eventOf: (row: MailRow) => DeliveryEvent,
): Promise<void> => {
  const news = rows.filter(isAnnounced);
  const owners = [...new Set(news.map(({ owner }) => owner))];
  // Read once an owner: every mail was stored before this, so no webhook that was there in time can be missing.
  const webhooksOf = new Map(await Promise.all(owners.map(async (owner) => [owner, await ports.webhooks.list(owner)] as const)));
  await Promise.all(
    LANES.map((lane) => {
      const jobs = news.flatMap((row) => jobsOf(ports, webhooksOf.get(row.owner) ?? [], row, eventOf(row), lane));
      return jobs.length > 0
        ? ports.queue.send(
            lane,
            jobs.map((job) => ({ job, delaySeconds: 0 })),
          )
        : undefined;
    }),
  );
};
