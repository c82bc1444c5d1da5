// Looking before registering: the handle that a wallet has or would get, and what stands against a name.
import { ok, type Outcome } from '../errors.ts';
import type { Accounts } from '../ports/stores.ts';
import { isReservedHandle, parseWallet, type Wallet } from '../values/wallet.ts';
import type { Account } from './account.ts';
import type { ChosenHandle } from './choose-handle.ts';
import { type Offer, readOffer, requireLabel } from './name-offer.ts';
import { type OwnedNamePorts, prospectsOf } from './owned-names.ts';

export interface CheckPorts extends OwnedNamePorts {
  readonly accounts: Accounts;
}

export interface WalletCheck {
  readonly kind: 'wallet';
  readonly wallet: Wallet;
  readonly account: Account | undefined;
  /** What the wallet has, or would get by registering now. */
  readonly handle: ChosenHandle;
  readonly ownsName: boolean;
  /** Only when the chain did not answer: the wallet may own, and get, more than is said. */
  readonly status: 'unknown' | undefined;
  readonly note: string | undefined;
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

const SILENT = 'The chain did not answer; try again in a few seconds.';

const checkWallet = async (ports: CheckPorts, wallet: Wallet): Promise<WalletCheck> => {
  const [account, prospects] = await Promise.all([ports.accounts.byWallet(wallet, { strong: true }), prospectsOf(ports, wallet)]);
  const { ownsName, isUnsure } = prospects;
  const unsure = isUnsure ? ({ status: 'unknown', note: SILENT } as const) : { status: undefined, note: undefined };
  return { kind: 'wallet', wallet, account, handle: account ?? prospects.handle, ownsName, ...unsure };
};

const HELD_HERE = 'An account goes by this name here: whoever buys it on chain cannot use it as a handle.';

const judge = async (ports: CheckPorts, label: string, isRegistered: boolean, offer: Offer | undefined): Promise<[NameStatus, string?]> => {
  if (isRegistered) return offer?.isAvailable ? ['taken', HELD_HERE] : ['taken'];
  if (isReservedHandle(label)) return ['reserved', 'This name belongs to the service and is never given out.'];
  if (!offer) return ['unknown', SILENT];
  if (offer.isAvailable) return ['available'];
  const owner = await ports.names.ownerOf(label);
  if (owner === 'unavailable') return ['unknown', SILENT];
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
