// What the domain asks of storage besides committing changes: reads, and the few writes that stand alone.
import type { Account } from '../identity/account.ts';
import type { Attachment, Folder, MailRow } from '../mail/mail.ts';
import type { Wallet } from '../values/wallet.ts';
import type { ApiKey, OutboxEntry } from './changes.ts';

export interface Accounts {
  /** `strong` sees every write that was answered before; callers read themselves strongly and others cheaply. */
  byWallet(wallet: Wallet, options: { readonly strong: boolean }): Promise<Account | undefined>;
}

export interface HandleOwner {
  readonly wallet: Wallet;
  readonly role: 'handle' | 'alias';
}

export interface Handles {
  ownerOf(handle: string): Promise<HandleOwner | undefined>;
}

export interface MailPage {
  readonly rows: readonly MailRow[];
  /** Where the next page begins; absent at the end. */
  readonly nextCursor?: string;
}

export interface Mailboxes {
  byId(owner: Wallet, id: string): Promise<MailRow | undefined>;
  /** Staked first, newest next. `offset` reads what it skips; `cursor` costs the page alone. */
  list(page: {
    readonly owner: Wallet;
    readonly folder: Folder;
    readonly limit: number;
    readonly offset: number;
    readonly cursor?: string;
  }): Promise<MailPage>;
  /** Unread mail of a folder with ids up to and including `upTo`, oldest first. */
  unread(page: {
    readonly owner: Wallet;
    readonly folder: Folder;
    readonly limit: number;
    readonly upTo: string;
  }): Promise<readonly MailRow[]>;
  /** Mail with an active USDC bond, the nearest deadline first; of these, with `overAt`, only the ones whose deadline is over then. */
  bonded(page: { readonly owner: Wallet; readonly overAt?: number; readonly limit?: number }): Promise<readonly MailRow[]>;
  /** Inbox mail that holds a pending stake, the oldest first. */
  staked(owner: Wallet, limit: number): Promise<readonly MailRow[]>;
  attachments(owner: Wallet, id: string): Promise<readonly Attachment[]>;
  /** Mail that waits for a wallet without an account, with the version that a registration has to adopt. */
  pending(wallet: Wallet): Promise<{ readonly version: number; readonly rows: readonly MailRow[] }>;
}

/** An API key as a request shows it. */
export interface ApiKeyUse {
  readonly wallet: Wallet;
  readonly id: string;
  readonly hash: string;
  readonly lastUsedAt: number;
}

export interface ApiKeys {
  /** Sees a revocation at once. */
  byHash(hash: string): Promise<ApiKeyUse | undefined>;
  list(wallet: Wallet): Promise<readonly ApiKey[]>;
  /** Notes the use of a key, at most once an hour; a lost note costs nothing. */
  touch(use: ApiKeyUse, now: number): Promise<void>;
}

export interface Whitelists {
  /** Whether an account lets mail from this wallet through without a price. */
  holds(owner: Wallet, sender: Wallet): Promise<boolean>;
}

export interface Suppressions {
  /** Why an account may not write to an address any more; undefined when it may. */
  reasonFor(owner: Wallet, address: string): Promise<'bounced' | 'complained' | undefined>;
}

/** A sign-in text as it was issued; a submitted message must equal it. */
export interface NonceRecord {
  readonly nonce: string;
  readonly address?: Wallet;
  readonly message?: string;
  readonly expiresAt: number;
}

export interface Nonces {
  issue(record: NonceRecord): Promise<void>;
  /** Binds a text to a nonce that was issued bare; false when it is unknown, expired or bound already. */
  bind(record: Required<NonceRecord>, now: number): Promise<boolean>;
  find(nonce: string): Promise<NonceRecord | undefined>;
}

export interface RefreshTokens {
  find(hash: string): Promise<{ readonly wallet: Wallet; readonly expiresAt: number } | undefined>;
}

export interface Outbox {
  find(wallet: Wallet, emailId: string): Promise<OutboxEntry | undefined>;
  /** Entries whose time has come, of all accounts. */
  due(now: number, limit: number): Promise<readonly OutboxEntry[]>;
}

/** Received and sent mail counted from the table's stream. */
export type StatisticName = 'agents' | 'emails' | 'sent' | 'received';

export interface Statistics {
  read(name: StatisticName): Promise<number>;
}

/** The object store, by what lies in it. Bytes are put before the transaction that makes them known. */
export interface MailObjects {
  putRaw(owner: Wallet, id: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when the object is gone. `maxBytes` reads only the beginning. */
  getRaw(owner: Wallet, id: string, maxBytes?: number): Promise<Uint8Array | undefined>;
  putAttachment(owner: Wallet, id: string, attachment: Attachment, bytes: Uint8Array): Promise<void>;
  getAttachment(owner: Wallet, id: string, index: number): Promise<Uint8Array | undefined>;
  /** A URL that serves the object for 60 seconds with this type and disposition. */
  urlOf(object: {
    readonly owner: Wallet;
    readonly id: string;
    readonly index?: number;
    readonly contentType: string;
    readonly disposition: string;
  }): Promise<string>;
  /** Removes everything that a mail with this many attachments owns; safe to repeat. */
  removeAll(owner: Wallet, id: string, attachmentCount: number): Promise<void>;
}

export interface Limit {
  readonly name: 'register' | 'sponsored-basename' | 'send-ip' | 'send-handle' | 'prestore' | 'thread-pace';
  readonly most: number;
  readonly windowSeconds: number;
}

export interface LimitState {
  readonly limit: Limit;
  readonly remaining: number;
  /** Seconds until the window rolls over. */
  readonly resetSeconds: number;
  readonly isAllowed: boolean;
}

export interface Limiter {
  /** Counts one call; a store that does not answer lets it through (interface, "Limits" 3). */
  take(limit: Limit, key: string, now: number): Promise<LimitState>;
  /** Tells without counting. */
  peek(limit: Limit, key: string, now: number): Promise<LimitState>;
  /** Takes one counted call back; a lost one is no harm, the window ends by itself. */
  release(limit: Limit, key: string, now: number): Promise<void>;
}

/** Hands finished messages to the outside world. */
export interface Courier {
  /**
   * `accepted`: it will be sent, under the id the provider gave. `refused`: it was definitely not taken. `unknown`: the
   * call ended without an answer, so it must not be repeated.
   */
  send(message: {
    readonly from: string;
    readonly to: string;
    readonly bytes: Uint8Array;
    readonly emailId: string;
    readonly wallet: Wallet;
  }): Promise<
    | { readonly result: 'accepted'; readonly wireId: string }
    | { readonly result: 'refused'; readonly reason: string }
    | { readonly result: 'unknown' }
  >;
}

/** SHA-256 and keyed texts, so that the domain needs no crypto library. */
export interface Digests {
  sha256Hex(text: string): string;
}
