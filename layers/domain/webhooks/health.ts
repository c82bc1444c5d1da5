// What a round of attempts says about an endpoint: whether it may keep its lane, and when it is switched off. Pure.
import type { Answer, Health, Webhook } from '../ports/webhooks.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import { GONE_STATUS, isSuccess } from './attempts.ts';

/** After this long of nothing but failures a webhook is switched off (decisions, "Webhooks"). */
export const FAILING_MAX_SECONDS = 5 * SECONDS_PER_DAY;
const GONE_REASON = 'The endpoint answered 410 Gone.';
export const FAILING_REASON = 'Five days of nothing but failures.';

/** An endpoint that takes longer than this leaves the lane of quick ones, so that it cannot hold them up. */
const QUICK_MS = 3000;

/** An attempt that was made; ordered ones say nothing about the endpoint, except that it is gone. */
export interface MadeAttempt {
  readonly answer: Answer;
  readonly isOrdered: boolean;
}

const isGone = ({ answer }: MadeAttempt): boolean => answer.kind === 'answered' && answer.status === GONE_STATUS;

/** Sums a round up; one success outweighs failures beside it, but not in the choice of the lane. */
export const healthOf = (made: readonly MadeAttempt[], now: number): Health => {
  if (made.some(isGone)) return { kind: 'gone', reason: GONE_REASON };
  const counted = made.filter(({ isOrdered }) => !isOrdered).map(({ answer }) => answer);
  if (counted.length === 0) return { kind: 'unknown' };
  if (!counted.some(isSuccess)) return { kind: 'failing', at: now };
  const isQuick = counted.every((answer) => isSuccess(answer) && answer.latencyMs <= QUICK_MS);
  return { kind: 'working', standing: isQuick ? 'good' : 'slow' };
};

export const hasFailedTooLong = (webhook: Webhook, now: number): boolean =>
  webhook.isActive && webhook.failingSince !== null && now - webhook.failingSince >= FAILING_MAX_SECONDS;
