// The airdrop score. Points come in halves, so everything is counted in halves and quarters and nothing is rounded
// before the amount is paid.
import type { Account, Activity } from '../identity/account.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';

/** Points of one of each, in halves (interface, "ATTN"). */
const HALF_POINTS = { received: 2n, read: 4n, replied: 10n, sent: 2n, staked: 1n, day: 4n } as const;

export interface Score {
  readonly activity: Activity;
  readonly daysSinceSignup: number;
  /** Base score times two. */
  readonly baseHalves: bigint;
  /** Base score times the multiplier, times four. */
  readonly totalQuarters: bigint;
}

/** Whole days since sign-up, each of 24 hours. */
const daysSince = (registeredAt: number, now: number): number => Math.max(0, Math.floor((now - registeredAt) / SECONDS_PER_DAY));

/** The score of an account at a moment; `multiplierHalves` is the wave's multiplier times two. */
export const scoreOf = (account: Pick<Account, 'activity' | 'registeredAt'>, multiplierHalves: bigint, now: number): Score => {
  const { activity, registeredAt } = account;
  const daysSinceSignup = daysSince(registeredAt, now);
  const baseHalves =
    BigInt(activity.received) * HALF_POINTS.received +
    BigInt(activity.read) * HALF_POINTS.read +
    BigInt(activity.replied) * HALF_POINTS.replied +
    BigInt(activity.sent) * HALF_POINTS.sent +
    activity.staked * HALF_POINTS.staked +
    BigInt(daysSinceSignup) * HALF_POINTS.day;
  return { activity, daysSinceSignup, baseHalves, totalQuarters: baseHalves * multiplierHalves };
};

/** ATTN that a score pays: the total rounded down, at most `most`. */
export const amountFor = (score: Score, most: bigint): bigint => {
  const amount = score.totalQuarters / 4n;
  return amount < most ? amount : most;
};
