// What an answer does to the message it answers, in the transaction of the answer itself: it counts as replied to, once,
// for its reader and for the pair, and a legacy bond on it is refunded.
import { endBondChanges } from '../attention/end-bond.ts';
import { isOver } from '../attention/bonds.ts';
import type { Bonds } from '../ports/attention.ts';
import type { Change } from '../ports/changes.ts';
import type { Mailboxes } from '../ports/stores.ts';
import type { Wallet } from '../values/wallet.ts';
import type { MailRow } from './mail.ts';

export interface AnswerPorts {
  readonly mailboxes: Mailboxes;
  readonly bonds: Bonds;
}

/** A bond that was resolved by hand has counted for its pair already. */
const pairChange = (row: MailRow): Change[] => {
  const { owner, peer, bond } = row;
  if (peer === undefined || peer === owner || bond?.status === 'refunded') return [];
  return [{ kind: 'pair.count', recipient: owner, sender: peer, counted: 'replied' }];
};

/** The bond that this answer refunds; one whose time is over is left to its forfeiture. */
const openBond = async (bonds: Bonds, { owner, id, bond }: MailRow, now: number) => {
  if (bond?.status !== 'active' || isOver(bond, now)) return undefined;
  const found = await bonds.find(owner, id);
  return found?.status === 'active' ? found : undefined;
};

const changesOn = async (ports: AnswerPorts, row: MailRow, now: number): Promise<Change[]> => {
  const bond = await openBond(ports.bonds, row, now);
  const isFirst = row.isAnswered !== true;
  const replied: Change[] = isFirst ? [{ kind: 'account.change', wallet: row.owner, add: { everReplied: 1 } }] : [];
  if (bond) return [...endBondChanges({ bond, row, status: 'refunded', isAnswer: true, now }), ...replied];
  return isFirst ? [{ kind: 'mail.answer', row, isAnswered: true }, ...replied, ...pairChange(row)] : [];
};

/**
 * Changes that go along with an answer to `parent`; none when that is no received mail. Each call after the first reads
 * the message again, because another answer moved it on.
 */
export const answering = (ports: AnswerPorts, owner: Wallet, parent: MailRow | undefined, now: number): (() => Promise<Change[]>) => {
  let row = parent;
  let isFirst = true;
  return async () => {
    if (!isFirst && parent) row = await ports.mailboxes.byId(owner, parent.id);
    isFirst = false;
    return row?.folder === 'inbox' ? changesOn(ports, row, now) : [];
  };
};
