// Rejecting a mail: it becomes read, and its stake is the reader's as far as the day's earn cap allows.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { endStake } from './end-stake.ts';
import type { MailRow } from './mail.ts';
import { accountAgain, findMail, readChanges, type ReadPorts } from './read-mail.ts';

/** Rejects of one account race for the same cap: more rounds than calls that could meet in it. */
const ROUNDS_MAX = 16;

/** What a rejection came to. */
export interface Rejection {
  readonly row: MailRow;
  readonly received: bigint;
  /** What went back to the sender. */
  readonly refunded: bigint;
}

/** Rejects unread inbox mail; `email_already_read` for anything that was read, 404 for sent copies and quarantined mail. */
export const rejectMail = async (ports: ReadPorts, account: Account, id: string, now: number): Promise<Outcome<Rejection>> => {
  let owner = account;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = await findMail(ports.mailboxes, owner, id);
    if (!found.ok) return found;
    const row = found.value;
    if (row.folder !== 'inbox') return notFound('Email');
    if (row.isRead) return fail('email_already_read');
    const ending = endStake(ports.ids, owner, row, 'rejected', now);
    const committed = await ports.committer.commit(readChanges(ending, owner, row));
    if (committed.ok) return ok({ row, received: ending.income, refunded: ending.refund });
    if (committed.code !== 'try_again') return committed;
    owner = await accountAgain(ports, owner);
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};
