// Which handle a wallet gets: a name it owns and asks for, else the name it chose on chain, else its own address.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Purchase, Purchases } from '../ports/names.ts';
import type { Handles } from '../ports/stores.ts';
import type { Names } from '../ports/wallets.ts';
import { isReservedHandle, type Wallet } from '../values/wallet.ts';
import { type Account, basenameOf } from './account.ts';
import { reservedHandle } from './handle-conflicts.ts';

export interface HandlePorts {
  readonly names: Names;
  readonly handles: Handles;
}

export interface ChoosePorts extends HandlePorts {
  readonly purchases: Purchases;
}

export interface ChosenHandle {
  readonly handle: string;
  readonly basename: string | null;
  readonly source: Account['source'];
}

/** The name of a label, as a choice. */
export const named = (label: string): ChosenHandle => ({ handle: label, basename: basenameOf(label), source: 'basename' });

export const addressHandle = (wallet: Wallet): ChosenHandle => ({ handle: wallet, basename: null, source: 'address' });

/** Whether the wallet owns the name right now; a chain that does not answer is 503 and never "no". */
export const requireOwnedName = async (ports: HandlePorts, basename: string, wallet: Wallet): Promise<Outcome<string>> => {
  const label = ports.names.parseLabel(basename);
  if (label === undefined) return fail('invalid_name');
  const owner = await ports.names.ownerOf(label);
  if (owner === 'unavailable') return fail('chain_unavailable');
  if (owner === 'none' || owner.owner !== wallet) return fail('name_not_owned');
  if (isReservedHandle(label)) return reservedHandle(label);
  return ok(label);
};

/** The name a wallet points to itself, when it can be had as a handle here. */
export const ownReverseName = async (ports: HandlePorts, wallet: Wallet): ReturnType<Names['reverseName']> => {
  const reverse = await ports.names.reverseName(wallet);
  if (typeof reverse === 'string') return reverse;
  if (isReservedHandle(reverse.label)) return 'none';
  const holder = await ports.handles.ownerOf(reverse.label);
  return holder && holder.wallet !== wallet ? 'none' : reverse;
};

/** A name that the service paid for and nobody has used yet, because its request died; undefined unless the wallet owns it. */
export const ownPaidName = async (ports: ChoosePorts, wallet: Wallet): Promise<Purchase | undefined> => {
  const purchase = await ports.purchases.find(wallet);
  if (purchase?.state !== 'sent') return undefined;
  const [owner, holder] = await Promise.all([ports.names.ownerOf(purchase.label), ports.handles.ownerOf(purchase.label)]);
  const isOwned = typeof owner === 'object' && owner.owner === wallet;
  return isOwned && (holder === undefined || holder.wallet === wallet) ? purchase : undefined;
};

/** Chooses in the order of the interface; only a name that was asked for can fail. */
export const chooseHandle = async (ports: ChoosePorts, wallet: Wallet, basename: string | undefined): Promise<Outcome<ChosenHandle>> => {
  if (basename !== undefined) {
    const label = await requireOwnedName(ports, basename, wallet);
    return label.ok ? ok(named(label.value)) : label;
  }
  const paid = await ownPaidName(ports, wallet);
  if (paid) return ok(named(paid.label));
  const reverse = await ownReverseName(ports, wallet);
  return ok(typeof reverse === 'string' ? addressHandle(wallet) : named(reverse.label));
};

export const UPGRADE_HINT =
  'Your handle is the wallet address. Own a Basename and call PUT /api/register/upgrade to get a name; the old address keeps working.';
