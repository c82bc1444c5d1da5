// Mail from outside: one message, any number of recipients, each with a copy of its own that arrives exactly once.
import { arrivalAt } from '../attention/demand.ts';
import { fail, ok, type Outcome } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { ParsedMail } from '../ports/mail-content.ts';
import type { Digests, Limiter, Mailboxes, MailObjects } from '../ports/stores.ts';
import type { BounceReason, SeenMarks } from '../ports/mail.ts';
import type { Ids } from '../values/id.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import { cutText } from '../values/text.ts';
import type { Wallet } from '../values/wallet.ts';
import type { Attachment, Folder, MailRow, Thread, Verdicts } from './mail.ts';
import { threadFor, type ThreadPorts } from './mail-thread.ts';
import { mailboxNameOf, type Recipient, type RecipientPorts, resolveRecipient } from './resolve-recipient.ts';
import { PRESTORE_BYTES_MAX, PRESTORE_LIFE_SECONDS } from './send-internal.ts';

/** A sender's server repeats a message whose acceptance it did not see; it gives up long before this. */
const REPEAT_SECONDS = 3 * SECONDS_PER_DAY;
/** The journal keeps messages this long, so nothing can be taken in again after it. */
const JOURNAL_SECONDS = 30 * SECONDS_PER_DAY;
const SUBJECT_CHARACTERS_STORED = 200;
/** Who gets deleted, registers or is renamed while a mail comes in is looked up again. */
const ROUNDS_MAX = 5;

export interface InboundMessage {
  /** The provider's id of this delivery. */
  readonly sesId: string;
  readonly receivedAt: number;
  /** The same moment in milliseconds: mails of one second are listed as they came. */
  readonly receivedAtMs: number;
  readonly envelopeFrom: string;
  readonly verdicts: Verdicts;
  readonly parsed: ParsedMail;
  readonly bytes: Uint8Array;
  /** The same for every delivery of the same message: its headers and body, hashed; undefined when nothing tells. */
  readonly contentHash: string | undefined;
}

export interface ReceivePorts extends RecipientPorts, ThreadPorts {
  readonly mailboxes: Mailboxes;
  readonly seenMarks: SeenMarks;
  readonly objects: MailObjects;
  readonly limiter: Limiter;
  readonly committer: Committer;
  readonly digests: Digests;
  readonly ids: Ids;
}

/** What became of a message for one recipient. */
export type Receipt = 'delivered' | 'stored' | 'repeated' | BounceReason;

type Known = Exclude<Recipient, { kind: 'unknown' }>;

const walletOf = (recipient: Known): Wallet => (recipient.kind === 'account' ? recipient.account.wallet : recipient.wallet);

/** A mail that carries a virus is kept where nobody opens it by accident. */
const folderFor = (verdicts: Verdicts): Folder => (verdicts.virus === 'FAIL' ? 'quarantine' : 'inbox');

const attachmentRows = (parsed: ParsedMail): Attachment[] =>
  parsed.attachments.map(({ index, filename, contentType, size, sha256, contentId }) => ({
    index,
    filename,
    contentType,
    sizeBytes: size,
    sha256,
    ...(contentId !== undefined && { contentId }),
  }));

interface Arrival {
  readonly message: InboundMessage;
  readonly recipient: Known;
  readonly address: string;
  readonly id: string;
  readonly thread: Thread;
}

const rowFor = ({ message, recipient, address, id, thread }: Arrival): MailRow => {
  const { parsed, verdicts, receivedAt } = message;
  return {
    owner: walletOf(recipient),
    id,
    folder: folderFor(verdicts),
    fromAddress: parsed.from?.address ?? message.envelopeFrom.toLowerCase(),
    ...(!parsed.from && { isFromEnvelope: true }),
    ...(parsed.from?.name !== undefined && { fromName: cutText(parsed.from.name, SUBJECT_CHARACTERS_STORED) }),
    toAddress: address,
    subject: cutText(parsed.subject, SUBJECT_CHARACTERS_STORED),
    snippet: parsed.snippet,
    sizeBytes: message.bytes.byteLength,
    isRead: false,
    createdAt: receivedAt,
    attachmentCount: parsed.attachments.length,
    thread,
    verdicts,
    ...(parsed.parseError !== undefined && { parseError: parsed.parseError }),
    ...(recipient.kind === 'pending' && { expiresAt: receivedAt + PRESTORE_LIFE_SECONDS }),
  };
};

const seenKey = (ports: ReceivePorts, cause: string, wallet: Wallet): string => ports.digests.sha256Hex(`${cause} ${wallet}`);

const seenChanges = (ports: ReceivePorts, { message, recipient }: Arrival): Change[] => {
  const { sesId, receivedAt: now, contentHash } = message;
  const wallet = walletOf(recipient);
  const key = seenKey(ports, `delivery ${sesId}`, wallet);
  const delivery: Change = { kind: 'inbound.seen', key, now, expiresAt: now + JOURNAL_SECONDS };
  if (contentHash === undefined) return [delivery];
  const content = seenKey(ports, `content ${contentHash}`, wallet);
  return [delivery, { kind: 'inbound.seen', key: content, now, expiresAt: now + REPEAT_SECONDS }];
};

/** Looked up before anything is stored or counted; the transaction decides between two that come at once. */
const isRepeated = (ports: ReceivePorts, { sesId, receivedAt, contentHash }: InboundMessage, recipient: Known): Promise<boolean> => {
  const cause = contentHash === undefined ? `delivery ${sesId}` : `content ${contentHash}`;
  return ports.seenMarks.has(seenKey(ports, cause, walletOf(recipient)), receivedAt);
};

const arrivalChanges = (row: MailRow, recipient: Known): Change[] => {
  if (recipient.kind === 'pending') return [{ kind: 'pending.add', wallet: recipient.wallet, refusal: fail('try_again') }];
  const { account, via } = recipient;
  const held: Change[] =
    via === undefined ? [] : [{ kind: 'handle.held', handle: via, wallet: account.wallet, refusal: fail('try_again') }];
  const { wallet } = account;
  // Quarantined mail never reached its reader: it counts neither as received nor as demand.
  if (row.folder === 'quarantine') return [...held, { kind: 'account.change', wallet, add: { quarantine: 1 } }];
  const add = { inbox: 1, unread: 1, everReceived: 1 };
  return [...held, { kind: 'account.change', wallet, add, arrival: arrivalAt(account, row.createdAt) }];
};

const store = async (ports: ReceivePorts, arrival: Arrival): Promise<Outcome<void>> => {
  const { message, recipient } = arrival;
  const row = rowFor(arrival);
  const attachments = attachmentRows(message.parsed);
  await Promise.all([
    ports.objects.putRaw(row.owner, row.id, message.bytes),
    ...attachments.map((attachment, index) =>
      ports.objects.putAttachment(row.owner, row.id, attachment, message.parsed.attachments[index]?.content ?? new Uint8Array()),
    ),
  ]);
  return ports.committer.commit([
    ...seenChanges(ports, arrival),
    ...arrivalChanges(row, recipient),
    { kind: 'mail.put', row, attachments },
  ]);
};

/** Mail for a wallet without an account is bounded like mail from inside. */
const refusalOf = async (ports: ReceivePorts, message: InboundMessage, recipient: Known): Promise<BounceReason | undefined> => {
  if (recipient.kind !== 'pending') return undefined;
  if (message.bytes.byteLength > PRESTORE_BYTES_MAX) return 'message_too_large';
  const limit = await ports.limiter.take(LIMITS.prestore, recipient.wallet, message.receivedAt);
  return limit.isAllowed ? undefined : 'mailbox_full';
};

const attempt = async (ports: ReceivePorts, message: InboundMessage, recipient: Known, address: string): Promise<Outcome<Receipt>> => {
  const wallet = walletOf(recipient);
  // Derived, so that a delivery that comes twice writes the same objects and the same row.
  const id = ports.ids.derivedAtMs(message.receivedAtMs, `inbound ${message.sesId} ${wallet}`);
  const thread = await threadFor(ports, wallet, message.parsed, id);
  const stored = await store(ports, { message, recipient, address, id, thread });
  if (stored.ok) return ok(recipient.kind === 'pending' ? 'stored' : 'delivered');
  return stored.code === 'already_claimed' ? ok('repeated') : stored;
};

interface Admission {
  /** The wallet without an account whose waiting mail this was counted among. */
  wallet?: Wallet;
}

const receiveOnce = async (
  ports: ReceivePorts,
  message: InboundMessage,
  address: string,
  admission: Admission,
): Promise<Outcome<Receipt>> => {
  const recipient = await resolveRecipient(ports, mailboxNameOf(address.slice(0, address.lastIndexOf('@'))));
  if (recipient.kind === 'unknown') return ok('unknown_mailbox');
  if (await isRepeated(ports, message, recipient)) return ok('repeated');
  const refusal = admission.wallet === undefined ? await refusalOf(ports, message, recipient) : undefined;
  if (refusal) return ok(refusal);
  if (recipient.kind === 'pending') admission.wallet = recipient.wallet;
  return attempt(ports, message, recipient, address.toLowerCase());
};

/** Takes a message in for one envelope recipient; a reason to bounce it is an answer, not a failure. */
export const receiveFor = async (ports: ReceivePorts, message: InboundMessage, address: string): Promise<Outcome<Receipt>> => {
  const admission: Admission = {};
  let outcome: Outcome<Receipt> = fail('try_again');
  try {
    for (let round = 0; round < ROUNDS_MAX && !outcome.ok && outcome.code === 'try_again'; round += 1) {
      outcome = await receiveOnce(ports, message, address, admission);
    }
    return outcome;
  } finally {
    // What was not stored counts nowhere; should it come again, it is counted again.
    const isStored = outcome.ok && outcome.value === 'stored';
    if (admission.wallet !== undefined && !isStored) await ports.limiter.release(LIMITS.prestore, admission.wallet, message.receivedAt);
  }
};
