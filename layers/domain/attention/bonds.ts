// Legacy USDC bonds: on a received message, answered in time (refunded, less the protocol fee) or not (forfeited).
import { invariant } from '../errors.ts';
import type { BondStatus } from '../mail/mail.ts';
import type { Wallet } from '../values/wallet.ts';

/** A bond; amounts are millionths of a USDC. */
export interface Bond {
  readonly emailId: string;
  readonly recipient: Wallet;
  readonly sender: Wallet;
  readonly amountMicros: bigint;
  readonly status: BondStatus;
  /** Until this moment (Unix seconds, itself not included) an answer refunds it. */
  readonly deadline: number;
  readonly createdAt: number;
  readonly endedAt?: number;
}

/** The protocol keeps 10 %, rounded down to the micro. */
const FEE_DIVISOR = 10n;

export const feeOf = (amountMicros: bigint): bigint => amountMicros / FEE_DIVISOR;

export const isOver = (bond: Pick<Bond, 'status' | 'deadline'>, now: number): boolean => bond.status === 'active' && bond.deadline <= now;

/** The bond as it stands after its end. */
export const ended = (bond: Bond, status: Exclude<BondStatus, 'active'>, now: number): Bond => {
  invariant(bond.status === 'active', `ending a ${bond.status} bond`);
  return { ...bond, status, endedAt: now };
};

/** Bonds that count for scores: those that were not forfeited. */
export const counts = (bond: Bond): boolean => bond.status !== 'forfeited';

export interface BondTotals {
  readonly count: number;
  readonly totalMicros: bigint;
  readonly byStatus: Readonly<Record<BondStatus, number>>;
}

export const totalsOf = (bonds: readonly Bond[]): BondTotals => {
  const byStatus = { active: 0, refunded: 0, forfeited: 0 };
  for (const { status } of bonds) byStatus[status] += 1;
  return { count: bonds.length, totalMicros: bonds.reduce((sum, { amountMicros }) => sum + amountMicros, 0n), byStatus };
};
