// Deliveries that someone orders: a test, or one more attempt at an event of the log. One attempt each, made even when
// the webhook is switched off, and no mark for or against the endpoint.
import { notFound, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Deliveries, Delivery, DeliveryEvent, DeliveryQueue, Webhook, Webhooks } from '../ports/webhooks.ts';
import { type Ids, isTimeId } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import { laneOf } from './announce-mail.ts';
import { newDelivery, QUEUE_GRACE_SECONDS } from './attempts.ts';
import { findWebhook } from './change-webhook.ts';

export interface OrderPorts {
  readonly webhooks: Pick<Webhooks, 'byId'>;
  readonly deliveries: Pick<Deliveries, 'byId'>;
  readonly committer: Committer;
  readonly queue: DeliveryQueue;
  readonly ids: Ids;
}

interface Order {
  readonly wallet: Wallet;
  readonly webhookId: string;
  readonly now: number;
  readonly commitReply: (deliveryId: string) => Promise<Change[]>;
}

const due = (delivery: Delivery, now: number): Delivery => ({
  ...delivery,
  state: 'pending',
  nextAttemptAt: now,
  sweepAt: now + QUEUE_GRACE_SECONDS,
});

/** Commits the order and hurries it along; should the queue not take it, the sweep finds it in the due index. */
const place = async (ports: OrderPorts, order: Order, webhook: Webhook, delivery: Delivery, was?: Delivery): Promise<Outcome<string>> => {
  const change: Change = { kind: 'delivery.order', delivery, ...(was && { was }) };
  const committed = await ports.committer.commit([change, ...(await order.commitReply(delivery.id))]);
  if (!committed.ok) return committed;
  const { wallet, webhookId, id, attempts } = delivery;
  const job = { wallet, webhookId, deliveryId: id, attempt: attempts + 1, deferrals: 0 };
  await ports.queue.send(laneOf(webhook), [{ job, delaySeconds: 0 }]).catch(() => undefined);
  return ok(id);
};

/** Queues one made-up event; gives the id under which its outcome stands in the log. */
export const testWebhook = async (
  ports: OrderPorts,
  order: Order & { readonly eventOf: (webhook: Webhook) => DeliveryEvent },
): Promise<Outcome<string>> => {
  const { wallet, webhookId, now } = order;
  const found = await findWebhook(ports.webhooks, wallet, webhookId);
  if (!found.ok) return found;
  const fresh = newDelivery({ wallet, webhookId, deliveryId: ports.ids.next(now) }, order.eventOf(found.value));
  return place(ports, order, found.value, due({ ...fresh, isOrdered: true }, now));
};

/** Queues one more attempt at an event of the log, under its old id; one that waits for its next attempt is hurried. */
export const redeliver = async (ports: OrderPorts, order: Order & { readonly deliveryId: string }): Promise<Outcome<string>> => {
  const { wallet, webhookId, deliveryId, now } = order;
  const found = await findWebhook(ports.webhooks, wallet, webhookId);
  if (!found.ok) return found;
  const was = isTimeId(deliveryId) ? await ports.deliveries.byId(wallet, webhookId, deliveryId) : undefined;
  if (!was) return notFound('Delivery');
  const isOrdered = was.isOrdered || was.state !== 'pending' || !found.value.isActive;
  return place(ports, order, found.value, due({ ...was, isOrdered }, now), was);
};
