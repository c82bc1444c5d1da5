// Deleting a mail for good: the row and its stake in one transaction, then the bytes.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import type { AccountCounter, Change } from '../ports/changes.ts';
import type { MailObjects } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import { endStake } from './end-stake.ts';
import type { MailRow } from './mail.ts';
import { accountAgain, findMail, type ReadPorts } from './read-mail.ts';

const ROUNDS_MAX = 8;

/** What the mailbox counts less when a row goes. */
const countersOf = (row: MailRow): Partial<Record<AccountCounter, number>> => ({
  [row.folder]: -1,
  ...(row.folder === 'inbox' && !row.isRead && { unread: -1 }),
  ...(row.bond?.status === 'active' && { bonded: -1 }),
});

const deleteChanges = (ids: Ids, owner: Account, row: MailRow, now: number): Change[] => [
  { kind: 'mail.delete', row },
  { kind: 'account.change', wallet: owner.wallet, add: countersOf(row) },
  ...endStake(ids, owner, row, 'deleted', now).changes,
];

/**
 * Deletes one copy; the other side keeps its own. The bytes go after the row: should the process die in between, the
 * table's stream removes them.
 */
export const deleteMail = async (
  ports: ReadPorts & { objects: MailObjects },
  account: Account,
  id: string,
  now: number,
): Promise<Outcome<void>> => {
  let owner = account;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = await findMail(ports.mailboxes, owner, id);
    if (!found.ok) return found;
    const committed = await ports.committer.commit(deleteChanges(ports.ids, owner, found.value, now));
    if (committed.ok) {
      await ports.objects.removeAll(owner.wallet, id, found.value.attachmentCount);
      return ok(undefined);
    }
    if (committed.code !== 'try_again') return committed;
    owner = await accountAgain(ports, owner);
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};
