// What the domain asks of storage and of the platform's wallet about names: aliases, the directory, names seen on chain,
// and purchases that the service pays for.
import type { Wallet } from '../values/wallet.ts';
import type { RegisterCall } from './wallets.ts';

export interface AliasRecord {
  readonly handle: string;
  readonly createdAt: number;
}

export interface Aliases {
  /** Sees every alias that was answered before. */
  list(wallet: Wallet): Promise<readonly AliasRecord[]>;
}

export interface DirectoryEntry {
  readonly handle: string;
  readonly wallet: Wallet;
  readonly basename: string | null;
  readonly registeredAt: number;
}

export interface Directory {
  /** Accounts with a name, the newest first. */
  newest(limit: number): Promise<readonly DirectoryEntry[]>;
}

export interface AccountSettings {
  readonly notificationEmail: string | null;
}

export interface SettingsStore {
  read(wallet: Wallet): Promise<AccountSettings>;
}

/** `sent`: signed and stored, perhaps paid; `done`: its name is in use; `failed`: nothing was paid for. */
export type PurchaseState = 'sent' | 'done' | 'failed';

/**
 * A name that the platform buys for a wallet. The signed transaction is stored before it is sent, and only that
 * transaction is ever sent again: its nonce lets the chain take it once.
 */
export interface Purchase {
  readonly wallet: Wallet;
  readonly label: string;
  readonly state: PurchaseState;
  /** The signed transaction, `0x` hex. */
  readonly raw: string;
  readonly hash: string;
  readonly nonce: number;
  readonly priceWei: bigint;
  readonly createdAt: number;
  /** When the schedule looks after it, should nobody have finished it. */
  readonly dueAt: number;
}

export interface Purchases {
  /** The latest purchase of a wallet; sees every write that was answered before. */
  find(wallet: Wallet): Promise<Purchase | undefined>;
  /** Unfinished purchases whose time has come, of all wallets. */
  due(now: number, limit: number): Promise<readonly Purchase[]>;
}

export interface LaneState {
  /** The nonce after the last one that was signed. */
  readonly nextNonce: number;
  /** Whose purchase was sent last and not seen through. */
  readonly current: Wallet | undefined;
}

/** The platform key's nonces, handed out one purchase at a time. */
export interface NonceLane {
  /** Waits some seconds for its turn; the hold runs out by itself when its holder dies. */
  take(token: string, now: number): Promise<LaneState | 'busy'>;
  /** Frees the lane, if the token still holds it; `isSettled` says that the current purchase is over. */
  release(token: string, isSettled: boolean): Promise<void>;
}

export interface SignedPurchase {
  readonly raw: string;
  readonly hash: string;
}

/** The platform's own wallet, which pays for names. */
export interface NameBuyer {
  /** Whether this deployment has a platform key. */
  isReady(): Promise<boolean>;
  /** Tries the call on the present state without sending it. `unfunded`: the platform cannot pay. */
  simulate(call: RegisterCall): Promise<'passes' | 'refused' | 'unfunded' | 'unavailable'>;
  /** The nonce that the chain expects next; waits a moment for a node that lags behind `least`. */
  nextNonce(least: number): Promise<number | 'unavailable'>;
  sign(call: RegisterCall, nonce: number): Promise<SignedPurchase | 'unavailable'>;
  /**
   * Sends a signed purchase (again) and waits for its end, some seconds at most. `failed`: it reverted, or its nonce
   * went to another transaction, so it can never pay.
   */
  seeThrough(purchase: Pick<Purchase, 'raw' | 'hash' | 'nonce'>): Promise<'bought' | 'failed' | 'pending'>;
}

/** Names that the event tail saw; candidates only, since the chain alone knows who owns a name now. */
export interface KnownNames {
  labelsOf(wallet: Wallet): Promise<readonly string[]>;
}

export interface NameTransfer {
  /** The label's hash. */
  readonly token: string;
  readonly from: Wallet;
  readonly to: Wallet;
  /** Sorts transfers as the chain did. */
  readonly position: number;
}

export interface NameEvents {
  readonly registered: readonly { readonly token: string; readonly label: string }[];
  readonly transfers: readonly NameTransfer[];
}

export interface NameEventSource {
  head(): Promise<number | 'unavailable'>;
  /** Events of the blocks from `first` to `last`, both included. */
  read(first: number, last: number): Promise<NameEvents | 'unavailable'>;
}

export interface NameEventStore {
  /** The block to read next; undefined before the first run. */
  nextBlock(): Promise<number | undefined>;
  /** Stores events; safe to repeat in any order. */
  record(events: NameEvents): Promise<void>;
  /** Moves on to `block`; false when another run moved it meanwhile. */
  advance(from: number | undefined, block: number): Promise<boolean>;
}
