// Makes the attempts of one endpoint that came in together. At least once: whatever dies in between comes again under the
// same id. A slot bounds how many functions call one endpoint at a time; a job that finds none waits in its queue, where
// it holds up nobody.
import type { Sealer } from '../ports/idempotency.ts';
import type {
  Answer,
  Deliveries,
  Delivery,
  DeliveryEvent,
  DeliveryJob,
  DeliveryQueue,
  Endpoints,
  Lane,
  Slot,
  Standing,
  Webhook,
  Webhooks,
} from '../ports/webhooks.ts';
import type { Clock } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';
import { abandoned, afterAttempt, newDelivery, QUEUED_WAIT_MAX_SECONDS, sweepTimeOf } from './attempts.ts';
import { FAILING_REASON, hasFailedTooLong, healthOf, type MadeAttempt } from './health.ts';

/** Longer than the function that makes the attempt can live. */
export const ATTEMPT_LIFE_SECONDS = 25;
const DEFERRAL_GOOD_SECONDS = 1;
const DEFERRAL_BASE_SECONDS = 5;
const DEFERRAL_MAX_SECONDS = 300;

export interface DeliverPorts {
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly queue: DeliveryQueue;
  readonly endpoints: Endpoints;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** Jobs for one endpoint, out of one batch of one lane. */
export interface JobGroup {
  readonly wallet: Wallet;
  readonly webhookId: string;
  readonly lane: Lane;
  readonly jobs: readonly DeliveryJob[];
}

const deferral = (job: DeliveryJob, standing: Standing): number =>
  standing === 'good' ? DEFERRAL_GOOD_SECONDS : Math.min(DEFERRAL_BASE_SECONDS * 2 ** job.deferrals, DEFERRAL_MAX_SECONDS);

/** Puts jobs back: at once into the other lane when their endpoint lost the fast one, else later into the same. */
const deferAll = (ports: DeliverPorts, { lane, jobs }: JobGroup, standing: Standing): Promise<void> => {
  const isMoved = lane === 'deliveries' && standing === 'slow';
  const entries = jobs.map((job) => ({
    job: { ...job, deferrals: isMoved ? 0 : job.deferrals + 1 },
    delaySeconds: isMoved ? 0 : deferral(job, standing),
  }));
  return ports.queue.send(isMoved ? 'retries' : lane, entries);
};

const dropAll = async (ports: DeliverPorts, jobs: readonly DeliveryJob[]): Promise<void> => {
  await Promise.all(jobs.map((job) => ports.deliveries.remove(job.wallet, job.webhookId, job.deliveryId)));
};

/** The living secrets, the newest first. */
const openSecrets = (sealer: Sealer, webhook: Webhook, now: number): Promise<string[]> => {
  const living = webhook.retiredSecrets.filter(({ until }) => until > now).map(({ sealed }) => sealed);
  return Promise.all([webhook.sealedSecret, ...living].map((sealed) => sealer.open(sealed)));
};

/** The delivery of a first attempt, unless it was begun before: queues hand out twice, and streams tell twice. */
const begin = async (ports: DeliverPorts, job: DeliveryJob, event: DeliveryEvent): Promise<Delivery | undefined> => {
  const until = ports.clock.nowSeconds() + ATTEMPT_LIFE_SECONDS;
  const delivery = { ...newDelivery(job, event), sweepAt: sweepTimeOf(until, until) };
  return (await ports.deliveries.begin(delivery, until)) ? delivery : undefined;
};

/** The delivery that a job is about, when its attempt is still to be made by us. */
const takeUp = async (ports: DeliverPorts, job: DeliveryJob): Promise<Delivery | undefined> => {
  const begun = job.event && (await begin(ports, job, job.event));
  if (begun) return begun;
  const stored = await ports.deliveries.byId(job.wallet, job.webhookId, job.deliveryId);
  if (stored?.state !== 'pending' || stored.attempts !== job.attempt - 1) return undefined;
  const now = ports.clock.nowSeconds();
  return (await ports.deliveries.claim(stored, now, now + ATTEMPT_LIFE_SECONDS)) ? stored : undefined;
};

/** Queues the next attempt when a queue can carry the wait; else the sweep finds it in the due index. */
const queueNext = async (ports: DeliverPorts, job: DeliveryJob, after: Delivery, now: number): Promise<void> => {
  const delaySeconds = after.nextAttemptAt === null ? Number.POSITIVE_INFINITY : after.nextAttemptAt - now;
  if (delaySeconds > QUEUED_WAIT_MAX_SECONDS) return;
  const { wallet, webhookId, deliveryId } = job;
  await ports.queue.send('retries', [{ job: { wallet, webhookId, deliveryId, attempt: after.attempts + 1, deferrals: 0 }, delaySeconds }]);
};

const attempt = async (
  ports: DeliverPorts,
  webhook: Webhook,
  secrets: readonly string[],
  job: DeliveryJob,
): Promise<MadeAttempt | undefined> => {
  const delivery = await takeUp(ports, job);
  if (!delivery) return undefined;
  if (!webhook.isActive && !delivery.isOrdered) {
    await ports.deliveries.record(abandoned(delivery, 'the webhook is switched off'), delivery.attempts);
    return undefined;
  }
  const signing = { id: delivery.id, timestamp: ports.clock.nowSeconds(), secrets };
  const answer: Answer = await ports.endpoints.post(webhook.url, delivery.body, signing);
  const now = ports.clock.nowSeconds();
  const after = afterAttempt(delivery, answer, now);
  // Written before the next attempt is queued: a death in between leaves it to the sweep, never to nobody.
  await ports.deliveries.record(after, delivery.attempts);
  await queueNext(ports, job, after, now);
  return { answer, isOrdered: delivery.isOrdered };
};

const noteHealth = async (ports: DeliverPorts, slot: Slot, made: readonly MadeAttempt[]): Promise<void> => {
  const now = ports.clock.nowSeconds();
  const after = await ports.webhooks.releaseSlot(slot, healthOf(made, now));
  if (after && hasFailedTooLong(after, now)) await ports.webhooks.disable(after, FAILING_REASON);
};

/** A queue may hand the same job out twice, and two jobs may carry the same attempt. */
const distinct = (jobs: readonly DeliveryJob[]): readonly DeliveryJob[] => [...new Map(jobs.map((job) => [job.deliveryId, job])).values()];

const attemptAll = async (ports: DeliverPorts, slot: Slot, jobs: readonly DeliveryJob[]): Promise<readonly DeliveryJob[]> => {
  const secrets = await openSecrets(ports.sealer, slot.webhook, ports.clock.nowSeconds());
  const results = await Promise.allSettled(jobs.map((job) => attempt(ports, slot.webhook, secrets, job)));
  const made = results.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
  await noteHealth(ports, slot, made);
  return jobs.filter((_, index) => results[index]?.status === 'rejected');
};

/**
 * Makes, defers or drops the jobs of one endpoint.
 * @returns the jobs that have to come again because storage or a queue failed.
 */
export const deliverGroup = async (ports: DeliverPorts, group: JobGroup): Promise<readonly DeliveryJob[]> => {
  const jobs = distinct(group.jobs);
  const taken = await ports.webhooks.takeSlot(group.wallet, group.webhookId, group.lane, ports.clock.nowSeconds());
  if (taken.result === 'taken') return attemptAll(ports, taken.slot, jobs);
  if (taken.result === 'busy') await deferAll(ports, { ...group, jobs }, taken.standing);
  else await dropAll(ports, jobs);
  return [];
};
