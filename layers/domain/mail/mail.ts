// A mail as a mailbox row: what lists show. The message itself lies in the object store under the row's id.
import type { Stake } from '../ledger/stakes.ts';
import type { Wallet } from '../values/wallet.ts';

export type Folder = 'inbox' | 'sent' | 'quarantine';

/** How far an external message got (decisions, "External send"). */
export type DeliveryState = 'queued' | 'sent' | 'delivered' | 'delayed' | 'bounced' | 'complained' | 'failed';

export type Verdict = 'PASS' | 'FAIL' | 'GRAY' | 'PROCESSING_FAILED' | 'DISABLED';

/** What the receiving side found out about a mail from outside. */
export interface Verdicts {
  readonly spf: Verdict;
  readonly dkim: Verdict;
  readonly dmarc: Verdict;
  readonly spam: Verdict;
  readonly virus: Verdict;
}

export type BondStatus = 'active' | 'refunded' | 'forfeited';

/** A legacy USDC bond on a received mail; micros are millionths of a USDC. */
export interface MailBond {
  readonly amountMicros: bigint;
  readonly status: BondStatus;
  readonly deadline: number;
}

/** Which conversation a mail belongs to, and whose agent began it. */
export interface Thread {
  /** The id of the first mail of the thread. */
  readonly id: string;
  /** Absent when the thread was begun from outside. */
  readonly starter?: Wallet;
}

export interface MailRow {
  readonly owner: Wallet;
  readonly id: string;
  readonly folder: Folder;
  readonly fromAddress: string;
  readonly fromName?: string;
  readonly toAddress: string;
  readonly subject: string;
  readonly snippet: string;
  readonly sizeBytes: number;
  readonly isRead: boolean;
  readonly createdAt: number;
  readonly attachmentCount: number;
  readonly thread: Thread;
  /** The wallet on the other side, when it is an agent of this service. */
  readonly peer?: Wallet;
  readonly stake?: Stake;
  readonly bond?: MailBond;
  /** A received mail that its reader answered by mail. */
  readonly isAnswered?: true;
  readonly verdicts?: Verdicts;
  /** The message has no usable From; `fromAddress` is the envelope sender. */
  readonly isFromEnvelope?: true;
  readonly delivery?: DeliveryState;
  /** The id under which the provider sent it. */
  readonly wireId?: string;
  /** Why the parser gave up; the message is still readable as `raw`. */
  readonly parseError?: string;
  /** Mail for a wallet without an account is dropped after this moment. */
  readonly expiresAt?: number;
}

/**
 * A sender is who it claims to be when DMARC passes: SPF or DKIM alone may vouch for another domain than From's. DMARC
 * says nothing of the envelope, which anyone can write, so an address out of it is never verified.
 */
export const isSenderVerified = ({ verdicts, isFromEnvelope }: Pick<MailRow, 'verdicts' | 'isFromEnvelope'>): boolean =>
  verdicts?.dmarc === 'PASS' && !isFromEnvelope;

/** Whether a row floats to the top of the inbox: a stake is held on it and it is unread. */
export const isFloating = (row: Pick<MailRow, 'folder' | 'stake' | 'isRead'>): boolean =>
  row.folder === 'inbox' && !row.isRead && row.stake?.status === 'pending';

/** One attachment as it was found in a message; the bytes lie in an object of their own. */
export interface Attachment {
  readonly index: number;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentId?: string;
}
