// ATTN stakes: what a mail costs its sender's attention points, and the four ends that a stake can have.
// One decision serves the API, the listing and the schedule (decisions, "ATTN").
import { invariant } from '../errors.ts';
import type { Ids } from '../values/id.ts';
import { dayOf, SECONDS_PER_DAY } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';
import type { Movement } from './movements.ts';

export const DAILY_EARN_CAP = 200n;
export const DAILY_CLAIM = 10n;
export const COLD_EMAIL_STAKE = 3n;
export const REPLY_THREAD_STAKE = 1n;
export const RECEIVE_PRICE_MIN = 1n;
export const RECEIVE_PRICE_MAX = 10n;
export const STAKE_LIFE_SECONDS = 48 * 3600;

export type StakeStatus = 'pending' | 'refunded' | 'transferred' | 'expired';

/** A stake as it stands on the recipient's row. */
export interface Stake {
  readonly amount: bigint;
  readonly status: StakeStatus;
  readonly expiresAt: number;
  readonly staker: Wallet;
}

/** What an account earned on a UTC day; claims, rejects and expiries count, refunds and purchases do not. */
export interface Earnings {
  readonly day: number;
  readonly earned: bigint;
}

/**
 * The moment that an income counts at: never on a day before one that was counted already. A request that began before
 * midnight and commits after it would otherwise wipe the new day's sum, and open its cap again.
 */
export const earningTime = (earnings: Earnings, now: number): number => Math.max(now, earnings.day * SECONDS_PER_DAY);

export const earnedToday = (earnings: Earnings, now: number): bigint => (earnings.day === dayOf(now) ? earnings.earned : 0n);

export const leftUnderCap = (earnings: Earnings, now: number): bigint => {
  const left = DAILY_EARN_CAP - earnedToday(earnings, now);
  return left > 0n ? left : 0n;
};

export type UnstakedReason = 'self' | 'whitelisted' | 'prestored' | 'external' | 'insufficient_balance';
export type StakeReason = 'cold_email' | 'reply_thread' | UnstakedReason;

export interface StakeTerms {
  readonly amount: bigint;
  readonly reason: StakeReason;
}

/** What a mail would stake: the recipient's price, or 1 for a reply in a thread that the recipient started with the sender. */
export const stakeTerms = (mail: {
  readonly toSelf: boolean;
  readonly whitelisted: boolean;
  readonly inRecipientsThread: boolean;
  readonly receivePrice: bigint;
  readonly balance: bigint;
}): StakeTerms => {
  if (mail.toSelf) return { amount: 0n, reason: 'self' };
  if (mail.whitelisted) return { amount: 0n, reason: 'whitelisted' };
  const amount = mail.inRecipientsThread ? REPLY_THREAD_STAKE : mail.receivePrice;
  if (mail.balance < amount) return { amount: 0n, reason: 'insufficient_balance' };
  return { amount, reason: mail.inRecipientsThread ? 'reply_thread' : 'cold_email' };
};

/** The id of the movement that staked on a mail. */
const stakeId = (ids: Ids, emailId: string, at: number): string => ids.derived(at, `stake ${emailId}`, emailId);

export const stakeMovement = (ids: Ids, staker: Wallet, amount: bigint, emailId: string, at: number): Movement => ({
  id: stakeId(ids, emailId, at),
  asset: 'ATTN',
  type: 'stake',
  debit: staker,
  credit: 'escrow',
  amount,
  at,
  reference: { emailId },
});

export type StakeEnd = 'read' | 'rejected' | 'deleted' | 'expired';

export interface Settlement {
  readonly status: Exclude<StakeStatus, 'pending'>;
  /** What the recipient gets; counts towards the earn cap. */
  readonly income: bigint;
  readonly refund: bigint;
  readonly movements: readonly Movement[];
}

const statusAfter = (end: StakeEnd, income: bigint): Settlement['status'] => {
  if (income === 0n) return 'refunded';
  return end === 'expired' ? 'expired' : 'transferred';
};

/**
 * Decides how a pending stake ends: read and deleted give it back; rejected and expired pay the recipient what is left
 * under the day's cap and give the rest back.
 */
export const settleStake = (input: {
  readonly ids: Ids;
  readonly emailId: string;
  readonly recipient: Wallet;
  readonly stake: Stake;
  readonly end: StakeEnd;
  readonly earnings: Earnings;
  readonly now: number;
}): Settlement => {
  const { ids, emailId, recipient, stake, end, now } = input;
  invariant(stake.status === 'pending', `settling a ${stake.status} stake`);
  const pays = end === 'rejected' || end === 'expired';
  const cap = pays ? leftUnderCap(input.earnings, now) : 0n;
  const income = stake.amount < cap ? stake.amount : cap;
  const refund = stake.amount - income;
  // Each end stands at its moment and above its stake; that there is but one is the condition on the mail's row.
  const staked = stakeId(ids, emailId, stake.expiresAt - STAKE_LIFE_SECONDS);
  const leg = () => ({ asset: 'ATTN', debit: 'escrow', at: now, reference: { emailId }, id: ids.next(now, staked) }) as const;
  const movements: Movement[] = [];
  if (income > 0n) {
    const type = end === 'rejected' ? 'reject_income' : 'expiry_income';
    movements.push({ ...leg(), type, credit: recipient, amount: income });
  }
  if (refund > 0n) movements.push({ ...leg(), type: 'refund', credit: stake.staker, amount: refund });
  invariant(income + refund === stake.amount, 'a settlement that does not add up');
  return { status: statusAfter(end, income), income, refund, movements };
};
