// A message on its way out: composed once, with the same bytes for every copy.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import { type Account, emailOf } from '../identity/account.ts';
import type { ComposeSignature, MailComposer, ReadThreadHeaders, SnippetOf, ThreadHeaders } from '../ports/mail-content.ts';
import type { WireMessageIds } from '../ports/mail.ts';
import type { Change } from '../ports/changes.ts';
import type { MailObjects } from '../ports/stores.ts';
import { cutText } from '../values/text.ts';
import type { Wallet } from '../values/wallet.ts';
import { isEmailId } from '../values/id.ts';
import { type AnswerPorts, answering } from './answer-mail.ts';
import type { Attachment, MailRow, Thread } from './mail.ts';

/** Whole message at most, as SES takes it (decisions, "Mail"). */
export const MESSAGE_BYTES_MAX = 40 * 1024 * 1024;
export const ATTACHMENT_BYTES_MAX = 10 * 1024 * 1024;
/** Thread headers stand at the top of a message; this much of it is read to answer it. */
const HEAD_BYTES = 65_536;
/** RFC 5322 lines end somewhere; the first reference and the newest carry a thread. */
const REFERENCES_MAX = 40;
const SUBJECT_CHARACTERS_STORED = 200;

export interface OutgoingAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
  readonly sha256: string;
}

export interface OutgoingDraft {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly html: string | undefined;
  readonly attachments: readonly OutgoingAttachment[];
}

export interface ReplyContext {
  /** The row that is answered; undefined for a new thread. */
  readonly parent: MailRow | undefined;
  readonly inReplyTo: string | undefined;
  readonly references: readonly string[];
  /** What the answer does to the row it answers, for the transaction of the answer; asked again after each lost race. */
  readonly answer: () => Promise<Change[]>;
}

export const NO_REPLY: ReplyContext = { parent: undefined, inReplyTo: undefined, references: [], answer: async () => [] };

export interface ReplyPorts extends AnswerPorts {
  readonly objects: MailObjects;
  readonly readThreadHeaders: ReadThreadHeaders;
  readonly wireMessageIds: WireMessageIds;
}

/** What the parent refers to: its References or, in a client that writes none, what it answers (RFC 5322, 3.6.4). */
const ancestorsOf = ({ references, inReplyTo }: ThreadHeaders): readonly string[] =>
  references.length > 0 || inReplyTo === undefined ? references : [inReplyTo];

/** The first mail of a thread that an agent began: a client outside may name it by its wire id alone, and lose our own. */
const rootsOf = ({ starter, id }: Thread, mailDomain: string): string[] => (starter === undefined ? [] : [`<${id}@${mailDomain}>`]);

/** References of an answer, each id once, at its last place but for the root; the middle is left out when it is long. */
const chainOf = (roots: readonly string[], ancestors: readonly string[], parents: readonly string[]): string[] => {
  const known = new Set([...ancestors, ...parents]);
  const chain = [...roots.filter((id) => !known.has(id)), ...ancestors.filter((id) => !parents.includes(id)), ...parents];
  return chain.length <= REFERENCES_MAX ? chain : [...chain.slice(0, 1), ...chain.slice(1 - REFERENCES_MAX)];
};

/** Reads what an answer has to refer to, from the caller's own copy of the mail. */
export const replyContext = async (
  ports: ReplyPorts,
  owner: Wallet,
  emailId: string | undefined,
  mailDomain: string,
  now: number,
): Promise<Outcome<ReplyContext>> => {
  if (emailId === undefined) return ok(NO_REPLY);
  const parent = isEmailId(emailId) ? await ports.mailboxes.byId(owner, emailId) : undefined;
  if (!parent) return notFound('Email');
  const head = await ports.objects.getRaw(owner, emailId, HEAD_BYTES);
  const headers: ThreadHeaders = head ? ports.readThreadHeaders(head) : { references: [], subject: '' };
  const messageId = headers.messageId ?? `<${emailId}@${mailDomain}>`;
  // Outside, a message of ours is known by the id that the provider gave it; both ids hold the thread together.
  const wireIds = parent.wireId === undefined ? [] : ports.wireMessageIds(parent.wireId);
  const references = chainOf(rootsOf(parent.thread, mailDomain), ancestorsOf(headers), [messageId, ...wireIds]);
  return ok({ parent, inReplyTo: wireIds[0] ?? messageId, references, answer: answering(ports, owner, parent, now) });
};

export const threadOf = (reply: ReplyContext, emailId: string, sender: Wallet): Thread =>
  reply.parent ? reply.parent.thread : { id: emailId, starter: sender };

/** The block under every mail of a free account (decisions, "Mail"); subject and snippet carry none. */
export const signatureOf = (account: Account, serviceName: string, mailDomain: string): ComposeSignature | undefined => {
  if (account.tier === 'pro') return undefined;
  const sentence = `Sent by an agent with ${serviceName}`;
  return { text: `${sentence} (${mailDomain})`, html: `<p>${sentence} (${mailDomain})</p>` };
};

export interface Outgoing {
  readonly emailId: string;
  readonly from: string;
  readonly draft: OutgoingDraft;
  readonly reply: ReplyContext;
  readonly bytes: Uint8Array;
  readonly attachments: readonly Attachment[];
}

export interface ComposePorts {
  readonly composer: MailComposer;
  readonly mailDomain: string;
  readonly serviceName: string;
}

const attachmentRows = (draft: OutgoingDraft): Attachment[] =>
  draft.attachments.map((attachment, index) => ({
    index,
    filename: attachment.filename,
    contentType: attachment.contentType,
    sizeBytes: attachment.content.byteLength,
    sha256: attachment.sha256,
  }));

export interface OutgoingMessage {
  readonly emailId: string;
  readonly sender: Account;
  readonly handle: string;
  readonly draft: OutgoingDraft;
  readonly reply: ReplyContext;
  /** SES puts its own Message-ID on the wire; ours then stands in References, so that answers find their thread. */
  readonly isExternal: boolean;
  readonly now: number;
}

const tooLargeMessage = () =>
  fail('payload_too_large', { message: 'The whole message is larger than 40 MB', hint: 'Send less in one message.' });

/** Before anything is composed: base64 would make a third more of what is too large already. */
const checkSizes = (draft: OutgoingDraft): Outcome<void> => {
  const sizes = draft.attachments.map(({ content }) => content.byteLength);
  if (sizes.some((bytes) => bytes > ATTACHMENT_BYTES_MAX)) return fail('attachment_too_large');
  return sizes.reduce((sum, bytes) => sum + bytes, 0) > MESSAGE_BYTES_MAX ? tooLargeMessage() : ok(undefined);
};

/** Builds the message; refuses one that no provider would take. */
export const composeOutgoing = async (ports: ComposePorts, message: OutgoingMessage): Promise<Outcome<Outgoing>> => {
  const { emailId, sender, draft, reply, now } = message;
  const tooLarge = checkSizes(draft);
  if (!tooLarge.ok) return tooLarge;
  const from = emailOf(message.handle, ports.mailDomain);
  const signature = signatureOf(sender, ports.serviceName, ports.mailDomain);
  const messageId = `<${emailId}@${ports.mailDomain}>`;
  const composed = await ports.composer.composeMail({
    from: { address: from },
    to: draft.to,
    subject: draft.subject,
    text: draft.body,
    ...(draft.html !== undefined && { html: draft.html }),
    messageId,
    date: now,
    ...(reply.inReplyTo !== undefined && { inReplyTo: reply.inReplyTo }),
    references: message.isExternal ? [...reply.references, messageId] : reply.references,
    attachments: draft.attachments,
    ...(signature && { signature }),
  });
  if (!composed.ok) return composed;
  const bytes = composed.value;
  if (bytes.byteLength > MESSAGE_BYTES_MAX) return tooLargeMessage();
  return ok({ emailId, from, draft, reply, bytes, attachments: attachmentRows(draft) });
};

/** The parts of a row that both copies share. */
export const rowBase = (outgoing: Outgoing, sender: Wallet, snippetOf: SnippetOf, now: number) => ({
  fromAddress: outgoing.from,
  toAddress: outgoing.draft.to,
  subject: cutText(outgoing.draft.subject, SUBJECT_CHARACTERS_STORED),
  snippet: snippetOf(outgoing.draft.body),
  sizeBytes: outgoing.bytes.byteLength,
  createdAt: now,
  attachmentCount: outgoing.attachments.length,
  thread: threadOf(outgoing.reply, outgoing.emailId, sender),
});

/** Puts one copy of the message and of its attachments; done before the transaction that makes the copy known. */
export const putCopy = async (objects: MailObjects, owner: Wallet, id: string, outgoing: Outgoing): Promise<void> => {
  const parts = outgoing.attachments.map((attachment, index) =>
    objects.putAttachment(owner, id, attachment, outgoing.draft.attachments[index]?.content ?? new Uint8Array()),
  );
  await Promise.all([objects.putRaw(owner, id, outgoing.bytes), ...parts]);
};
