// Reading and rejecting a mail: the row becomes read and its stake ends, in one transaction.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Accounts, Mailboxes } from '../ports/stores.ts';
import { type Ids, isEmailId } from '../values/id.ts';
import { endStake, type StakeEnding } from './end-stake.ts';
import type { MailRow } from './mail.ts';

export interface ReadPorts {
  readonly accounts: Accounts;
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

/** The changes that turn one unread row read, and the stake's end among them. */
export const readChanges = (ending: StakeEnding, owner: Account, row: MailRow): Change[] => [
  { kind: 'mail.read', row, ...(ending.status !== undefined && { stakeStatus: ending.status }) },
  { kind: 'account.change', wallet: owner.wallet, add: row.folder === 'inbox' ? { unread: -1, everRead: 1 } : {} },
  ...ending.changes,
];

const asRead = (row: MailRow, { status }: StakeEnding): MailRow => ({
  ...row,
  isRead: true,
  ...(row.stake && status !== undefined && { stake: { ...row.stake, status } }),
});

/** The account as it stands now: what it earned meanwhile decides how much a stake may still pay. */
export const accountAgain = async (ports: Pick<ReadPorts, 'accounts'>, account: Account): Promise<Account> =>
  (await ports.accounts.byWallet(account.wallet, { strong: true })) ?? account;

/** Gives the row as it stands after reading; reading again changes nothing. */
export const markMailRead = async (ports: ReadPorts, account: Account, id: string, now: number): Promise<Outcome<MailRow>> => {
  let owner = account;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = await findMail(ports.mailboxes, owner, id);
    if (!found.ok || found.value.isRead || found.value.folder === 'sent') return found;
    const ending = endStake(ports.ids, owner, found.value, 'read', now);
    const committed = await ports.committer.commit(readChanges(ending, owner, found.value));
    if (committed.ok) return ok(asRead(found.value, ending));
    if (committed.code !== 'try_again') return committed;
    owner = await accountAgain(ports, owner);
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};
