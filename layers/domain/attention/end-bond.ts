// The end of a bond: one decision for the answer in time, the answer by mail, the schedule and the listing.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { BondStatus, MailRow } from '../mail/mail.ts';
import type { Bonds } from '../ports/attention.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Mailboxes } from '../ports/stores.ts';
import type { Wallet } from '../values/wallet.ts';
import { type Bond, ended, isOver } from './bonds.ts';

export interface BondPorts {
  readonly bonds: Bonds;
  readonly mailboxes: Mailboxes;
  readonly committer: Committer;
}

/** Answers, schedules and deletions of one message may meet; each round looks at bond and row afresh. */
const ROUNDS_MAX = 8;

const repliedChange = ({ recipient, sender }: Bond): Change => ({ kind: 'pair.count', recipient, sender, counted: 'replied' });

interface BondEnd {
  readonly bond: Bond;
  /** The message, when it still exists. */
  readonly row: MailRow | undefined;
  readonly status: Exclude<BondStatus, 'active'>;
  /** Whether the message is being answered by mail, so that it is marked so in the same write. */
  readonly isAnswer: boolean;
  readonly now: number;
}

/** What ends a bond; the row and the mailbox follow in the same transaction. */
export const endBondChanges = ({ bond, row, status, isAnswer, now }: BondEnd): Change[] => [
  { kind: 'bond.end', bond: ended(bond, status, now) },
  ...(row?.bond?.status === 'active'
    ? ([
        { kind: 'mail.answer', row, isAnswered: isAnswer || row.isAnswered === true, bondStatus: status },
        { kind: 'account.change', wallet: bond.recipient, add: { bonded: -1 } },
      ] as const)
    : []),
  // A message that was answered by mail before has counted for its pair already.
  ...(status === 'refunded' && row?.isAnswered !== true ? [repliedChange(bond)] : []),
];

/** Another call moved the bond or its row on, or deleted the row. */
const hasMoved = (outcome: Outcome<void>): boolean => !outcome.ok && (outcome.code === 'try_again' || outcome.code === 'not_found');

/** Forfeits a bond whose deadline is over; whoever was faster wins, and the loser finds nothing left to do. */
export const forfeitBond = async (ports: BondPorts, found: Bond, now: number): Promise<void> => {
  let bond: Bond | undefined = found;
  for (let round = 0; round < ROUNDS_MAX && bond && isOver(bond, now); round += 1) {
    const row = await ports.mailboxes.byId(bond.recipient, bond.emailId);
    const committed = await ports.committer.commit(endBondChanges({ bond, row, status: 'forfeited', isAnswer: false, now }));
    if (!hasMoved(committed)) return;
    bond = await ports.bonds.find(found.recipient, found.emailId);
  }
};

/** Forfeits everything that is due while `hasTime`; gives the number of bonds looked at. */
export const forfeitDueBonds = async (ports: BondPorts, now: number, hasTime: () => boolean): Promise<number> => {
  let count = 0;
  for await (const bonds of ports.bonds.duePages(now)) {
    for (const bond of bonds) {
      if (!hasTime()) return count;
      await forfeitBond(ports, bond, now);
      count += 1;
    }
  }
  return count;
};

const NO_BOND = notFound('Active bond');

export interface RefundRequest {
  readonly recipient: Wallet;
  readonly emailId: string;
  readonly now: number;
  readonly commitReply: (bond: Bond) => Promise<Change[]>;
}

/** Refunds the bond on a received message; 404 without an active one, and one whose time is over is forfeited instead. */
export const refundBond = async (ports: BondPorts, request: RefundRequest): Promise<Outcome<Bond>> => {
  const { recipient, emailId, now } = request;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const bond = await ports.bonds.find(recipient, emailId);
    if (bond?.status !== 'active') return NO_BOND;
    if (isOver(bond, now)) {
      await forfeitBond(ports, bond, now);
      return NO_BOND;
    }
    const row = await ports.mailboxes.byId(recipient, emailId);
    const changes = endBondChanges({ bond, row, status: 'refunded', isAnswer: false, now });
    const committed = await ports.committer.commit([...changes, ...(await request.commitReply(bond))]);
    if (committed.ok) return ok(bond);
    if (!hasMoved(committed)) return committed;
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};
