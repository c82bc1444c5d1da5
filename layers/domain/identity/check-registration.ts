// Looking before registering: the handle that a wallet has or would get, and what stands against a name.
import { ok, type Outcome } from '../errors.ts';
import type { KnownNames } from '../ports/names.ts';
import type { Accounts } from '../ports/stores.ts';
import { isReservedHandle, parseWallet, type Wallet } from '../values/wallet.ts';
import type { Account } from './account.ts';
import { addressHandle, type ChosenHandle, type HandlePorts, named, ownReverseName } from './choose-handle.ts';
import { type Offer, readOffer, requireLabel } from './name-offer.ts';

export interface CheckPorts extends HandlePorts {
  readonly accounts: Accounts;
  readonly knownNames: KnownNames;
}

export interface WalletCheck {
  readonly kind: 'wallet';
  readonly wallet: Wallet;
  readonly account: Account | undefined;
  /** What the wallet has, or would get by registering now. */
  readonly handle: ChosenHandle;
  readonly ownsName: boolean;
}

export type NameStatus = 'available' | 'taken' | 'reserved' | 'unknown';

export interface NameCheck {
  readonly kind: 'name';
  readonly label: string;
  readonly isRegistered: boolean;
  readonly isReserved: boolean;
  readonly status: NameStatus;
  readonly note: string | undefined;
  /** Undefined when the chain did not answer. */
  readonly offer: Offer | undefined;
}

/** Names that wallets were sent need a look each; this many are enough to say "owns one". */
const LOOKED_AT_MAX = 5;

const ownsKnownName = async (ports: CheckPorts, wallet: Wallet): Promise<boolean> => {
  const labels = (await ports.knownNames.labelsOf(wallet)).slice(0, LOOKED_AT_MAX);
  const owners = await Promise.all(labels.map((label) => ports.names.ownerOf(label)));
  return owners.some((owner) => typeof owner === 'object' && owner.owner === wallet);
};

const checkWallet = async (ports: CheckPorts, wallet: Wallet): Promise<WalletCheck> => {
  const [account, reverse] = await Promise.all([ports.accounts.byWallet(wallet, { strong: true }), ownReverseName(ports, wallet)]);
  const ownsName = reverse !== undefined || (await ownsKnownName(ports, wallet));
  const wouldGet = reverse === undefined ? addressHandle(wallet) : named(reverse);
  return { kind: 'wallet', wallet, account, handle: account ?? wouldGet, ownsName };
};

const judge = async (ports: CheckPorts, label: string, isRegistered: boolean, offer: Offer | undefined): Promise<[NameStatus, string?]> => {
  if (isRegistered) return ['taken'];
  if (isReservedHandle(label)) return ['reserved', 'This name belongs to the service and is never given out.'];
  if (!offer) return ['unknown', 'The chain did not answer; try again in a few seconds.'];
  if (offer.isAvailable) return ['available'];
  const owner = await ports.names.ownerOf(label);
  if (owner === 'unavailable') return ['unknown', 'The chain did not answer; try again in a few seconds.'];
  if (owner === 'none') return ['taken', 'The name has expired and is in its 90-day grace period: only its last owner can renew it.'];
  return ['reserved', 'The name is owned on chain but not registered here; its owner can register with it.'];
};

const checkName = async (ports: CheckPorts, label: string): Promise<NameCheck> => {
  const [holder, offer] = await Promise.all([ports.handles.ownerOf(label), readOffer(ports.names, label)]);
  const known = offer.ok ? offer.value : undefined;
  const [status, note] = await judge(ports, label, holder !== undefined, known);
  return { kind: 'name', label, isRegistered: holder !== undefined, isReserved: isReservedHandle(label), status, note, offer: known };
};

/** Answers for a wallet address or a name; 400 for anything else. */
export const checkRegistration = async (ports: CheckPorts, query: string): Promise<Outcome<WalletCheck | NameCheck>> => {
  const wallet = parseWallet(query);
  if (wallet) return ok(await checkWallet(ports, wallet));
  const label = requireLabel(ports.names, query);
  return label.ok ? ok(await checkName(ports, label.value)) : label;
};
