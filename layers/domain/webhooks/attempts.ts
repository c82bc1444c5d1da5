// What one attempt makes of a delivery: delivered, dead, or due again after a wait that grows. Pure.
import type { Answer, Delivery, DeliveryEvent, DeliveryJob } from '../ports/webhooks.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';

/** Waits before each attempt in seconds, before jitter; after the last the delivery is dead (decisions, "Webhooks"). */
export const DELIVERY_WAITS_SECONDS = [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;
/** A queue carries waits up to this; longer ones stand in the due index. */
export const QUEUED_WAIT_MAX_SECONDS = 900;
/** How long the sweep leaves an attempt to the queue that carries it. */
export const QUEUE_GRACE_SECONDS = 180;
/** An endpoint may ask to be left alone, but not for ever. */
const RETRY_AFTER_MAX_SECONDS = SECONDS_PER_DAY;
/** Each wait is stretched or shortened by up to a fifth, so that what failed together does not come back together. */
const JITTER_SHARE = 0.2;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export const GONE_STATUS = 410;

/** From 0 to 1, the same for the same text: jitter needs spread, not secrecy, and tests can repeat it. */
const fractionOf = (text: string): number => {
  let hash = FNV_OFFSET;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), FNV_PRIME) >>> 0;
  return hash / 2 ** 32;
};

const jittered = (wait: number, cause: string): number => Math.round(wait * (1 - JITTER_SHARE + 2 * JITTER_SHARE * fractionOf(cause)));

/** Seconds to wait after `attempts` attempts; undefined when that was the last. */
export const waitAfter = (delivery: Pick<Delivery, 'id'>, attempts: number, retryAfterSeconds = 0): number | undefined => {
  const wait = DELIVERY_WAITS_SECONDS[attempts];
  if (wait === undefined) return undefined;
  return Math.max(jittered(wait, `${delivery.id} ${attempts}`), Math.min(retryAfterSeconds, RETRY_AFTER_MAX_SECONDS));
};

export const isSuccess = (answer: Answer): boolean => answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;

const errorOf = (answer: Answer): string | null => {
  if (answer.kind === 'failed') return answer.error;
  if (isSuccess(answer)) return null;
  return answer.status >= 300 && answer.status < 400 ? `status ${answer.status}: redirects are not followed` : `status ${answer.status}`;
};

/** When the sweep should look after an attempt: at once, or, while a queue carries it, only if that fails to. */
export const sweepTimeOf = (nextAttemptAt: number, now: number): number =>
  nextAttemptAt - now <= QUEUED_WAIT_MAX_SECONDS ? nextAttemptAt + QUEUE_GRACE_SECONDS : nextAttemptAt;

/** A delivery before its first attempt. */
export const newDelivery = (job: Pick<DeliveryJob, 'wallet' | 'webhookId' | 'deliveryId'>, event: DeliveryEvent): Delivery => ({
  ...event,
  wallet: job.wallet,
  webhookId: job.webhookId,
  id: job.deliveryId,
  state: 'pending',
  attempts: 0,
  isOrdered: false,
  status: null,
  error: null,
  latencyMs: null,
  excerpt: null,
  attemptedAt: null,
  nextAttemptAt: null,
  sweepAt: null,
});

/** Ends a delivery without an attempt. */
export const abandoned = (delivery: Delivery, reason: string): Delivery => ({
  ...delivery,
  state: 'dead',
  error: reason,
  nextAttemptAt: null,
  sweepAt: null,
});

const isLast = (delivery: Delivery, answer: Answer): boolean =>
  delivery.isOrdered || (answer.kind === 'answered' && answer.status === GONE_STATUS);

/** The delivery after an attempt that was answered, or not, at `now`. */
export const afterAttempt = (delivery: Delivery, answer: Answer, now: number): Delivery => {
  const attempts = delivery.attempts + 1;
  const retryAfter = answer.kind === 'answered' ? answer.retryAfterSeconds : undefined;
  const wait = isSuccess(answer) || isLast(delivery, answer) ? undefined : waitAfter(delivery, attempts, retryAfter);
  const nextAttemptAt = wait === undefined ? null : now + wait;
  return {
    ...delivery,
    attempts,
    state: isSuccess(answer) ? 'delivered' : nextAttemptAt === null ? 'dead' : 'pending',
    isOrdered: false,
    status: answer.kind === 'answered' ? answer.status : null,
    error: errorOf(answer),
    latencyMs: answer.latencyMs,
    excerpt: answer.kind === 'answered' ? answer.excerpt : null,
    attemptedAt: now,
    nextAttemptAt,
    sweepAt: nextAttemptAt === null ? null : sweepTimeOf(nextAttemptAt, now),
  };
};
