// The changes that end a stake: one decision for reading, rejecting, deleting and expiry.
import type { Account } from '../identity/account.ts';
import { dayOf } from '../values/time.ts';
import { DAILY_EARN_CAP, earningTime, type Settlement, settleStake, type Stake, type StakeEnd } from '../ledger/stakes.ts';
import type { Change } from '../ports/changes.ts';
import type { Ids } from '../values/id.ts';
import type { MailRow } from './mail.ts';

export interface StakeEnding {
  readonly status: Settlement['status'] | undefined;
  readonly income: bigint;
  readonly refund: bigint;
  readonly changes: readonly Change[];
}

const NO_STAKE: StakeEnding = { status: undefined, income: 0n, refund: 0n, changes: [] };

/** After its 48 hours a stake is the reader's, also when reading or deleting comes before the schedule. */
const endAt = (stake: Stake, end: StakeEnd, now: number): StakeEnd =>
  (end === 'read' || end === 'deleted') && stake.expiresAt <= now ? 'expired' : end;

/** How a row's stake ends for its recipient; nothing when the row holds none. */
export const endStake = (ids: Ids, recipient: Account, row: MailRow, wanted: StakeEnd, now: number): StakeEnding => {
  const { stake } = row;
  if (stake?.status !== 'pending') return NO_STAKE;
  const end = endAt(stake, wanted, now);
  const { wallet, earnings } = recipient;
  const at = earningTime(earnings, now);
  const settlement = settleStake({ ids, emailId: row.id, recipient: wallet, stake, end, earnings, now: at });
  // A stake that is earned whole needs no more than room under the cap; what the cap cuts depends on all that came before.
  const room = settlement.refund === 0n && { upTo: DAILY_EARN_CAP };
  const earn = settlement.income > 0n && { earn: { day: dayOf(at), before: earnings, amount: settlement.income, ...room } };
  return {
    status: settlement.status,
    income: settlement.income,
    refund: settlement.refund,
    changes: [
      ...settlement.movements.map((movement): Change => ({ kind: 'movement', movement })),
      { kind: 'account.change', wallet, add: { pendingStakes: -1 }, ...earn },
    ],
  };
};
