// Aliases: further names of a wallet that deliver to its one inbox.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Aliases } from '../ports/names.ts';
import type { Handles } from '../ports/stores.ts';
import type { Wallet } from '../values/wallet.ts';
import { type Account, basenameOf } from './account.ts';
import { type HandlePorts, requireOwnedName } from './choose-handle.ts';
import { heldByAnother } from './handle-conflicts.ts';

/** An account lists its aliases in one reply; without a bound one wallet could fill a partition. */
export const ALIASES_MAX = 100;

export interface ClaimPorts {
  readonly handles: Handles;
  readonly aliases: Aliases;
}

export interface AliasPorts extends HandlePorts, ClaimPorts {
  readonly committer: Committer;
}

export interface AliasAdded {
  readonly label: string;
  readonly basename: string;
}

export interface AliasRequest {
  readonly account: Account;
  /** The label or the full name. */
  readonly name: string;
  readonly now: number;
  readonly commitReply: (added: AliasAdded) => Promise<Change[]>;
}

/** The claim of an owned name that is not the account's yet; none when it is. */
export const claimAlias = async (ports: ClaimPorts, account: Account, label: string, now: number): Promise<Outcome<Change[]>> => {
  const holder = await ports.handles.ownerOf(label);
  if (holder) return holder.wallet === account.wallet ? ok([]) : heldByAnother(label);
  if ((await ports.aliases.list(account.wallet)).length >= ALIASES_MAX) {
    return fail('limit_reached', { message: `An account may have ${ALIASES_MAX} aliases` });
  }
  return ok([{ kind: 'handle.claim', handle: label, wallet: account.wallet, role: 'alias', at: now }]);
};

/** Adds an owned name as an alias; adding it again changes nothing. */
export const addAlias = async (ports: AliasPorts, request: AliasRequest): Promise<Outcome<AliasAdded>> => {
  const { account, now } = request;
  const label = await requireOwnedName(ports, request.name, account.wallet);
  if (!label.ok) return label;
  const added = { label: label.value, basename: basenameOf(label.value) };
  const claim = await claimAlias(ports, account, label.value, now);
  if (!claim.ok) return claim;
  const reply = await request.commitReply(added);
  const changes = [...claim.value, ...reply];
  const committed = changes.length === 0 ? ok(undefined) : await ports.committer.commit(changes);
  if (committed.ok) return ok(added);
  return committed.code === 'handle_taken' ? settleRace(ports, account.wallet, added, reply) : committed;
};

/** The claim lost a race; when the winner was this wallet itself, the alias is there and only the reply is missing. */
const settleRace = async (
  ports: { readonly handles: Handles; readonly committer: Committer },
  wallet: Wallet,
  added: AliasAdded,
  reply: readonly Change[],
): Promise<Outcome<AliasAdded>> => {
  const holder = await ports.handles.ownerOf(added.label);
  if (holder?.wallet !== wallet) return heldByAnother(added.label);
  const committed = reply.length === 0 ? ok(undefined) : await ports.committer.commit(reply);
  return committed.ok ? ok(added) : committed;
};

/** Removes an alias; the primary handle and names of others are no alias of the account: 404. */
export const removeAlias = async (ports: { readonly committer: Committer }, wallet: Wallet, handle: string): Promise<Outcome<void>> =>
  handle === '' ? notFound('Alias') : ports.committer.commit([{ kind: 'alias.remove', wallet, handle }]);
