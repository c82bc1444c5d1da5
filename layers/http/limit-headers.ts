// Rate-limit headers: the older trio that the interface names, and the structured pair of the current draft.
import type { LimitState } from '#domain/ports/stores.ts';

/** The policy with the least left, relative to nothing: it is the one that will refuse first. */
const tightest = (states: readonly LimitState[]): LimitState | undefined =>
  states.reduce<LimitState | undefined>((least, state) => (!least || state.remaining < least.remaining ? state : least), undefined);

const policy = ({ limit }: LimitState): string => `"${limit.name}";q=${limit.most};w=${limit.windowSeconds}`;
const current = ({ limit, remaining, resetSeconds }: LimitState): string => `"${limit.name}";r=${remaining};t=${resetSeconds}`;

/** Headers for the limits that a request counted against; none when it met no limit. Only a refusal says when to try again. */
export const limitHeaders = (states: readonly LimitState[], status: number): Record<string, string> => {
  const shown = states.find((state) => !state.isAllowed) ?? tightest(states);
  if (!shown) return {};
  return {
    'ratelimit-limit': String(shown.limit.most),
    'ratelimit-remaining': String(shown.remaining),
    'ratelimit-reset': String(shown.resetSeconds),
    'ratelimit-policy': states.map(policy).join(', '),
    ratelimit: states.map(current).join(', '),
    ...(!shown.isAllowed && status === 429 && { 'retry-after': String(shown.resetSeconds) }),
  };
};
