// Reading a mail: the row becomes read and its stake goes back to the sender, in one transaction.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Mailboxes } from '../ports/stores.ts';
import { type Ids, isEmailId } from '../values/id.ts';
import { endStake } from './end-stake.ts';
import type { MailRow } from './mail.ts';

export interface ReadPorts {
  readonly mailboxes: Mailboxes;
  readonly committer: Committer;
  readonly ids: Ids;
}

/** A mail that another call settles at the same moment is looked at again; more rounds than callers that could meet. */
const ROUNDS_MAX = 8;

/** The caller's own row; a malformed, foreign or missing id is one and the same 404. */
export const findMail = async (mailboxes: Mailboxes, owner: Account, id: string): Promise<Outcome<MailRow>> => {
  const row = isEmailId(id) ? await mailboxes.byId(owner.wallet, id) : undefined;
  return row ? ok(row) : notFound('Email');
};

/** Changes that mark one unread row read. */
export const readChanges = (ids: Ids, owner: Account, row: MailRow, now: number): Change[] => {
  const ending = endStake(ids, owner, row, 'read', now);
  return [
    { kind: 'mail.read', row, ...(ending.status !== undefined && { stakeStatus: ending.status }) },
    { kind: 'account.change', wallet: owner.wallet, add: row.folder === 'inbox' ? { unread: -1, everRead: 1 } : {} },
    ...ending.changes,
  ];
};

const asRead = (row: MailRow): MailRow => ({
  ...row,
  isRead: true,
  ...(row.stake?.status === 'pending' && { stake: { ...row.stake, status: 'refunded' } }),
});

/** Gives the row as it stands after reading; reading again changes nothing. */
export const markMailRead = async (ports: ReadPorts, owner: Account, id: string, now: number): Promise<Outcome<MailRow>> => {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = await findMail(ports.mailboxes, owner, id);
    if (!found.ok || found.value.isRead || found.value.folder === 'sent') return found;
    const committed = await ports.committer.commit(readChanges(ports.ids, owner, found.value, now));
    if (committed.ok) return ok(asRead(found.value));
    if (committed.code !== 'try_again') return committed;
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};
