// Gives an account a name as its handle. Nothing moves: mail, keys and money hang on the wallet, so an account with a
// thousand mails changes as many items as an empty one.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Accounts, Handles } from '../ports/stores.ts';
import { type Account, basenameOf } from './account.ts';
import { heldByAnother } from './handle-conflicts.ts';

export interface TakeNamePorts {
  readonly accounts: Accounts;
  readonly handles: Handles;
  readonly committer: Committer;
}

/** Another request of the same wallet may change the handle meanwhile; each round decides afresh. */
const ROUNDS_MAX = 5;

/** The handle before stays an address of the account: a 0x handle by itself, a name as an alias. */
const leaveBehind = (account: Account, at: number): Change[] =>
  account.source === 'basename' ? [{ kind: 'alias.demote', wallet: account.wallet, handle: account.handle, at }] : [];

const changesFor = (account: Account, label: string, isAlias: boolean, at: number): Change[] => {
  const { wallet } = account;
  const basename = basenameOf(label);
  const renamed: Account = { ...account, handle: label, basename, source: 'basename' };
  const pointer: Change = isAlias
    ? { kind: 'alias.promote', wallet, handle: label }
    : { kind: 'handle.claim', handle: label, wallet, role: 'handle', at };
  return [
    { kind: 'account.change', wallet, set: { handle: label, basename, source: 'basename' }, whileHandle: account.handle },
    pointer,
    ...leaveBehind(account, at),
    { kind: 'directory.put', account: renamed },
  ];
};

/**
 * Makes `label` the handle of the account; whoever calls has seen that the wallet owns it.
 *
 * @returns the account as it stands then; `handle_taken` when another wallet goes by the name here.
 */
export const takeName = async (ports: TakeNamePorts, account: Account, label: string, now: number): Promise<Outcome<Account>> => {
  let current = account;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (current.handle === label) return ok(current);
    const holder = await ports.handles.ownerOf(label);
    if (holder && holder.wallet !== account.wallet) return heldByAnother(label);
    const committed = await ports.committer.commit(changesFor(current, label, holder?.role === 'alias', now));
    if (!committed.ok && committed.code !== 'try_again' && committed.code !== 'handle_taken') return committed;
    current = (await ports.accounts.byWallet(account.wallet, { strong: true })) ?? current;
    if (committed.ok) return ok(current);
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};
