// Stakes whose 48 hours are over: settled as if rejected, by the schedule and by whoever lists the mailbox first.
import type { Account } from '../identity/account.ts';
import type { Committer } from '../ports/changes.ts';
import type { Accounts, Mailboxes } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import { endStake } from './end-stake.ts';
import type { MailRow } from './mail.ts';

export interface ExpirePorts {
  readonly accounts: Accounts;
  readonly mailboxes: Mailboxes;
  readonly committer: Committer;
  readonly ids: Ids;
}

const ROUNDS_MAX = 6;

export const isExpired = (row: MailRow, now: number): boolean =>
  row.stake?.status === 'pending' && !row.isRead && row.stake.expiresAt <= now;

const settleOnce = async (ports: ExpirePorts, owner: Account, row: MailRow, now: number): Promise<boolean> => {
  const ending = endStake(ports.ids, owner, row, 'expired', now);
  if (ending.status === undefined) return true;
  const committed = await ports.committer.commit([{ kind: 'mail.settle', row, stakeStatus: ending.status }, ...ending.changes]);
  return committed.ok || committed.code !== 'try_again';
};

/** Settles one expired stake; whoever was faster wins, and the loser finds nothing left to do. */
export const expireStake = async (ports: ExpirePorts, row: MailRow, now: number): Promise<void> => {
  let current: MailRow | undefined = row;
  for (let round = 0; round < ROUNDS_MAX && current && isExpired(current, now); round += 1) {
    const owner = await ports.accounts.byWallet(row.owner, { strong: true });
    if (!owner || (await settleOnce(ports, owner, current, now))) return;
    current = await ports.mailboxes.byId(row.owner, row.id);
  }
};
