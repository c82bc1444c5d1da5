// What the mail area asks of the outside besides its mailboxes: uploads, wire ids, a sender's standing, marks of work
// done, and the ways in which the service itself writes to people.
import type { Wallet } from '../values/wallet.ts';

/** A large attachment that a caller puts into the object store by itself. */
export interface Upload {
  readonly id: string;
  readonly wallet: Wallet;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Until when the bytes may be sent and the upload be named in a message; Unix seconds. */
  readonly expiresAt: number;
}

export interface UploadAddress {
  readonly url: string;
  readonly method: string;
  /** To be sent exactly as they are: size and type are part of the signature. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Uploads {
  find(wallet: Wallet, id: string): Promise<Upload | undefined>;
}

export interface UploadObjects {
  /** An address that takes exactly this many bytes of this type. */
  addressFor(upload: Upload, lifeSeconds: number): Promise<UploadAddress>;
  /** The bytes, when all of them are there. */
  read(upload: Upload): Promise<Uint8Array | undefined>;
}

/** The provider puts a Message-ID of its own on what leaves; answers name that one. */
export interface WireIds {
  find(wireId: string): Promise<{ readonly wallet: Wallet; readonly emailId: string } | undefined>;
}

/** Message-IDs under which a message with this wire id may be known outside, the likeliest first; with angle brackets. */
export type WireMessageIds = (wireId: string) => readonly string[];

/** The wire id inside a Message-ID that the provider made; undefined for ids of others. */
export type ReadWireId = (messageId: string) => string | undefined;

/** How an account's external mail fared: how many messages left, and how many had left when each hard bounce came in. */
export interface Standing {
  readonly sent: number;
  readonly bouncedAt: readonly number[];
  readonly version: number;
}

export interface Standings {
  of(wallet: Wallet): Promise<Standing>;
}

/** Marks of things that were done once (`seen.put`). */
export interface SeenMarks {
  has(key: string, now: number): Promise<boolean>;
}

export type BounceReason = 'unknown_mailbox' | 'message_too_large' | 'mailbox_full';

/** Tells the sender of a received mail that it did not arrive (RFC 3464, null reverse-path). */
export interface Bouncer {
  /**
   * `refused`: no bounce was sent, nor will ever be for this message. `unavailable`: none was sent now. `unknown`: the
   * answer was lost.
   */
  bounce(notice: {
    readonly sesId: string;
    readonly failed: readonly { readonly address: string; readonly reason: BounceReason }[];
  }): Promise<'sent' | 'refused' | 'unavailable' | 'unknown'>;
}

/** Mail of the service itself, to people. */
export interface ServicePost {
  send(message: { readonly from: string; readonly to: string; readonly bytes: Uint8Array }): Promise<'accepted' | 'refused' | 'unknown'>;
}

/** Marking that did not fit its request. */
export type UnfinishedMarking =
  | { readonly kind: 'folder'; readonly wallet: Wallet; readonly folder: 'inbox' | 'sent'; readonly upTo: string }
  | { readonly kind: 'ids'; readonly wallet: Wallet; readonly ids: readonly string[] };

export interface UnfinishedQueue {
  put(marking: UnfinishedMarking): Promise<void>;
}

/** One message as the receiving side wrote it down. */
export interface JournalEntry {
  readonly key: string;
  readonly sesId: string;
  readonly storedAt: number;
}

export interface Journal {
  /** Entries in pages; the walk begins at a random place, so that a long journal is covered over several runs. */
  pages(): AsyncIterable<readonly JournalEntry[]>;
  /** The beginning of a message; undefined when it is gone. */
  head(entry: JournalEntry): Promise<Uint8Array | undefined>;
}

/** An account that wants a digest of its unread mail. */
export interface DigestSubscription {
  readonly wallet: Wallet;
  readonly email: string;
  readonly dueAt: number;
}

export interface DigestSubscriptions {
  due(now: number, limit: number): Promise<readonly DigestSubscription[]>;
}

/** Counts something an operator watches. */
export type CountEvent = (
  name: 'mail_refused' | 'mail_bounced' | 'mail_unbounced' | 'mail_forwarded' | 'sender_paused',
  reason: string,
) => void;
