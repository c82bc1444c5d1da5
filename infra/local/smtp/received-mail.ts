// A mail as it came in over SMTP, and what SES would say of it.
import { randomInt } from 'node:crypto';
import { type MailHead, parseHead, valuesOf } from '../aws/mail-head.ts';

export const VERDICT_NAMES = ['spf', 'dkim', 'dmarc', 'spam', 'virus'] as const;
export type VerdictName = (typeof VERDICT_NAMES)[number];

const STATUSES = ['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED'] as const;
export type VerdictStatus = (typeof STATUSES)[number] | 'DISABLED';
export type Verdicts = Readonly<Record<VerdictName, VerdictStatus>>;

const POLICIES = ['none', 'quarantine', 'reject'] as const;
/** What the sender's domain asks to be done with mail that fails DMARC. */
export type DmarcPolicy = (typeof POLICIES)[number];

export interface ReceivedMail {
  /** SES's own id, also the last part of the object key. */
  readonly messageId: string;
  /** The envelope sender, empty for bounces. */
  readonly source: string;
  /** Every envelope recipient that was accepted, as it was written. */
  readonly recipients: readonly string[];
  readonly clientAddress: string;
  /** What the client called itself. */
  readonly clientName: string;
  readonly receivedMs: number;
  /** The bytes between DATA and the final dot, unstuffed. */
  readonly raw: Buffer;
  readonly head: MailHead;
}

/** The facts of the SMTP transaction, completed with an id and the parsed header section. */
export function asReceived(facts: Omit<ReceivedMail, 'messageId' | 'head'>): ReceivedMail {
  return { ...facts, messageId: newMessageId(), head: parseHead(facts.raw) };
}

const ID_LENGTH = 40;
const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

function newMessageId(): string {
  return Array.from({ length: ID_LENGTH }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join('');
}

/** PASS, unless the mail names another in `X-Local-<Name>`; spam and virus are only looked for when the rule scans. */
export function verdictsOn({ head }: ReceivedMail, isScanned: boolean): Verdicts {
  const wished = (name: VerdictName): VerdictStatus => {
    const [status] = wordsOf(head, name);
    return STATUSES.find((known) => known === status?.toUpperCase()) ?? 'PASS';
  };
  const scanned = (name: VerdictName): VerdictStatus => (isScanned ? wished(name) : 'DISABLED');
  return { spf: wished('spf'), dkim: wished('dkim'), dmarc: wished('dmarc'), spam: scanned('spam'), virus: scanned('virus') };
}

/** The policy that goes with a DMARC failure: the second word of `X-Local-Dmarc`, else `none`. */
export function dmarcPolicyOf({ head }: ReceivedMail): DmarcPolicy {
  const [, policy] = wordsOf(head, 'dmarc');
  return POLICIES.find((known) => known === policy?.toLowerCase()) ?? 'none';
}

const wordsOf = (head: MailHead, name: VerdictName): readonly string[] =>
  (valuesOf(head, `X-Local-${name}`)[0] ?? '').split(/[\s;,]+/).filter((word) => word !== '');
