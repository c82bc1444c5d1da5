// Attempts that no queue carries, or that a queue lost with the function that held them; and webhooks whose five days
// are over. Every sweep may run twice or die halfway.
import type { Deliveries, Delivery, DeliveryQueue, Webhooks } from '../ports/webhooks.ts';
import { QUEUE_GRACE_SECONDS } from './attempts.ts';
import { FAILING_MAX_SECONDS, FAILING_REASON } from './health.ts';

const PAGE = 50;

export interface SweepPorts {
  readonly webhooks: Pick<Webhooks, 'failing' | 'disable'>;
  readonly deliveries: Pick<Deliveries, 'due' | 'postpone'>;
  readonly queue: DeliveryQueue;
}

const entryOf = ({ wallet, webhookId, id, attempts }: Delivery) => ({
  job: { wallet, webhookId, deliveryId: id, attempt: attempts + 1, deferrals: 0 },
  delaySeconds: 0,
});

/** Queues first and postpones after: dying in between queues an attempt twice, and the second one finds it made. */
const requeue = async (ports: SweepPorts, due: readonly Delivery[], now: number): Promise<void> => {
  await ports.queue.send('retries', due.map(entryOf));
  await Promise.all(due.map((delivery) => ports.deliveries.postpone(delivery, now + QUEUE_GRACE_SECONDS)));
};

const sweepAttempts = async (ports: SweepPorts, now: number, hasTime: () => boolean): Promise<number> => {
  const seen = new Set<string>();
  while (hasTime()) {
    const due = (await ports.deliveries.due(now, PAGE)).filter(({ id }) => !seen.has(id));
    if (due.length === 0) break;
    await requeue(ports, due, now);
    for (const { id } of due) seen.add(id);
  }
  return seen.size;
};

/** Queues what is due and switches off what failed for five days; tells how many attempts it queued. */
export const sweepDeliveries = async (ports: SweepPorts, now: number, hasTime: () => boolean): Promise<number> => {
  const failing = await ports.webhooks.failing(now - FAILING_MAX_SECONDS, PAGE);
  await Promise.all(failing.map((webhook) => ports.webhooks.disable(webhook, FAILING_REASON)));
  return sweepAttempts(ports, now, hasTime);
};
