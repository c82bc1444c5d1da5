// What limits sending: mail of free accounts to the outside, by address and by handle; and threads that grow faster than
// anyone reads, whichever two agents answer each other there.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { LIMITS } from '../limits.ts';
import type { Limit, Limiter, LimitState } from '../ports/stores.ts';
import type { Wallet } from '../values/wallet.ts';

export interface LimitedSend {
  readonly sender: Account;
  readonly sourceIp: string;
  readonly now: number;
  readonly showLimits: (state: LimitState) => void;
}

/**
 * The limits of a free account's external mail, with what each is counted by. The limit by handle is counted by the
 * wallet behind it: an account that switches its handle would start from zero with each alias.
 */
const limitsOf = ({ sender, sourceIp }: LimitedSend): (readonly [Limit, string])[] =>
  sender.tier === 'pro'
    ? []
    : [
        [LIMITS.sendIp, sourceIp],
        [LIMITS.sendHandle, sender.wallet],
      ];

/** Takes back what a send was counted for: a refused send counts nowhere. */
export const releaseLimits = async (limiter: Limiter, send: LimitedSend): Promise<void> => {
  await Promise.all(limitsOf(send).map(([limit, key]) => limiter.release(limit, key, send.now)));
};

/** Does what was counted; a refusal, and a failure on the way, count nowhere. */
export const counted = async <T>(release: () => Promise<unknown>, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
  let isDone = false;
  try {
    const outcome = await work();
    isDone = outcome.ok;
    return outcome;
  } finally {
    if (!isDone) await release();
  }
};

/** Shows the limits without counting: mail inside is unlimited, and its reply tells the policy unchanged. */
export const showLimitsUnchanged = async (limiter: Limiter, send: LimitedSend): Promise<void> => {
  const states = await Promise.all(limitsOf(send).map(([limit, key]) => limiter.peek(limit, key, send.now)));
  for (const state of states) send.showLimits({ ...state, isAllowed: true });
};

/** Free accounts are limited by address and by handle; one that refuses is the only one shown, and nothing stays counted. */
export const takeLimits = async (limiter: Limiter, send: LimitedSend): Promise<Outcome<void>> => {
  const taken: (readonly [Limit, string])[] = [];
  for (const [limit, key] of limitsOf(send)) {
    const state = await limiter.take(limit, key, send.now);
    send.showLimits(state);
    if (!state.isAllowed) {
      await Promise.all(taken.map((other) => limiter.release(other[0], other[1], send.now)));
      return fail('rate_limited');
    }
    taken.push([limit, key]);
  }
  return ok(undefined);
};

/**
 * Two agents that answer each other's answers would go on for ever, at the machine's speed. A thread takes an answer a
 * second of each, which no conversation needs; the counter is no limit of the account, so no header shows it. It is kept
 * for each sender, or one could use up the other's share.
 */
export const keepPace = async <T>(
  limiter: Limiter,
  answer: { readonly threadId: string; readonly sender: Wallet; readonly now: number },
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> => {
  const key = `${answer.threadId} ${answer.sender}`;
  const pace = await limiter.take(LIMITS.threadPace, key, answer.now);
  if (pace.isAllowed) return counted(() => limiter.release(LIMITS.threadPace, key, answer.now), work);
  return fail('rate_limited', {
    message: 'This thread grows faster than it could be read',
    hint: 'Two programs may be answering each other here; begin a new thread, or wait for the seconds in Retry-After.',
    retryAfterSeconds: pace.resetSeconds,
  });
};
