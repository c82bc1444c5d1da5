// The daily claim: once per UTC day, as far as the day's earn cap allows (decisions, "ATTN").
import type { Ids } from '../values/id.ts';
import { dayOf, secondsToNextDay } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';
import type { Movement } from './movements.ts';
import { DAILY_CLAIM, type Earnings, leftUnderCap } from './stakes.ts';

export type ClaimRefusal = 'claimed_today' | 'cap_reached';
export type ClaimDecision = { readonly pays: true; readonly amount: bigint } | { readonly pays: false; readonly reason: ClaimRefusal };

export interface Claimant {
  /** UTC day of the last claim; -1 before the first. */
  readonly lastClaimDay: number;
  readonly earnings: Earnings;
}

/** What a claim at this moment pays. A day that was claimed comes before a cap that is reached. */
export const decideClaim = ({ lastClaimDay, earnings }: Claimant, now: number): ClaimDecision => {
  if (lastClaimDay >= dayOf(now)) return { pays: false, reason: 'claimed_today' };
  const left = leftUnderCap(earnings, now);
  if (left === 0n) return { pays: false, reason: 'cap_reached' };
  return { pays: true, amount: left >= DAILY_CLAIM ? DAILY_CLAIM : left };
};

/** Seconds until a claim pays; 0 when it does now. */
export const secondsToNextClaim = (claimant: Claimant, now: number): number =>
  decideClaim(claimant, now).pays ? 0 : secondsToNextDay(now);

export const claimMovement = (ids: Ids, wallet: Wallet, amount: bigint, now: number): Movement => ({
  // One claim a day is the condition on the day's earnings, in the same transaction.
  id: ids.next(now),
  asset: 'ATTN',
  type: 'daily_claim',
  debit: 'mint',
  credit: wallet,
  amount,
  at: now,
  reference: {},
});
