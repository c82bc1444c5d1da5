// Mail to postmaster@ and abuse@ (RFC 2142): sent on to the operator as a file in a mail of the service's own, so that
// nothing in it can pass for the service, and no answer to it can loop.
import { InfrastructureError } from '../errors.ts';
import type { Committer } from '../ports/changes.ts';
import type { MailComposer } from '../ports/mail-content.ts';
import type { CountEvent, SeenMarks, ServicePost } from '../ports/mail.ts';
import type { Digests } from '../ports/stores.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import type { InboundMessage } from './receive-mail.ts';

export interface ForwardPorts {
  readonly mailDomain: string;
  readonly operatorEmail: string;
  readonly composer: MailComposer;
  readonly post: ServicePost;
  readonly committer: Committer;
  readonly seenMarks: SeenMarks;
  readonly digests: Digests;
  readonly count: CountEvent;
}

/** Base64 makes a third more of it, and the provider's classic interface ends at 10 MB; the journal has the rest. */
const ENCLOSED_BYTES_MAX = 6 * 1024 * 1024;
const SUBJECT_CHARACTERS_MAX = 200;
const REMEMBERED_SECONDS = 31 * SECONDS_PER_DAY;

/** Facts as an indented block, which Markdown leaves as it is: the values were written by strangers. */
const factsOf = (message: InboundMessage, address: string, note: string): string => {
  const { envelopeFrom, parsed, verdicts, sesId } = message;
  const facts = [
    `To: ${address}`,
    `From: ${parsed.from?.address ?? '(none usable)'}`,
    `Envelope sender: ${envelopeFrom === '' ? '(empty)' : envelopeFrom}`,
    `SPF ${verdicts.spf}, DKIM ${verdicts.dkim}, DMARC ${verdicts.dmarc}, spam ${verdicts.spam}, virus ${verdicts.virus}`,
    `Journal: inbound/${sesId}`,
  ];
  return `Mail for ${address.split('@')[0]}@ came in. ${note}\n\n${facts.map((line) => `    ${line}`).join('\n')}\n`;
};

const enclosure = (message: InboundMessage): { readonly note: string; readonly bytes: Uint8Array | undefined } => {
  if (message.verdicts.virus === 'FAIL') return { note: 'It failed the virus scan, so it is not enclosed.', bytes: undefined };
  if (message.bytes.byteLength <= ENCLOSED_BYTES_MAX) return { note: 'It is enclosed as a file.', bytes: message.bytes };
  return { note: 'Its beginning is enclosed as a file.', bytes: message.bytes.subarray(0, ENCLOSED_BYTES_MAX) };
};

const composeForward = async (ports: ForwardPorts, message: InboundMessage, address: string): Promise<Uint8Array> => {
  const { note, bytes } = enclosure(message);
  const composed = await ports.composer.composeMail({
    from: { address: `postmaster@${ports.mailDomain}` },
    to: ports.operatorEmail,
    subject: `[${address.split('@')[0]}] ${message.parsed.subject}`.slice(0, SUBJECT_CHARACTERS_MAX).toWellFormed(),
    text: factsOf(message, address, note),
    messageId: `${message.sesId}.forward@${ports.mailDomain}`,
    date: message.receivedAt,
    headers: { 'Auto-Submitted': 'auto-forwarded' },
    attachments: bytes ? [{ filename: 'message.eml', contentType: 'application/octet-stream', content: bytes }] : [],
  });
  if (!composed.ok) throw new InfrastructureError(`a forward could not be composed: ${composed.detail.message ?? composed.code}`);
  return composed.value;
};

/** What the service itself sent on must not come back round; forwards of others are mail like any other. */
const isOwnForward = ({ parsed }: InboundMessage, mailDomain: string): boolean =>
  parsed.autoSubmitted === 'auto-forwarded' && parsed.from?.address.endsWith(`@${mailDomain}`) === true;

/**
 * Forwards a message once. It is marked after it was handed over: a death in between sends the operator a second copy,
 * which is better than none.
 */
export const forwardToOperator = async (ports: ForwardPorts, message: InboundMessage, address: string): Promise<void> => {
  const { receivedAt: now, sesId } = message;
  // A forward that bounced comes back here, and would be forwarded for ever (RFC 3834).
  if (message.envelopeFrom === '' || message.parsed.isBounce) return ports.count('mail_refused', 'bounce_to_operator');
  if (ports.operatorEmail === '' || isOwnForward(message, ports.mailDomain)) return ports.count('mail_refused', 'operator_unreachable');
  const key = ports.digests.sha256Hex(`forward ${sesId} ${address}`);
  if (await ports.seenMarks.has(key, now)) return;
  const bytes = await composeForward(ports, message, address);
  const handed = await ports.post.send({ from: `postmaster@${ports.mailDomain}`, to: ports.operatorEmail, bytes });
  if (handed === 'refused') throw new InfrastructureError('the provider refused a forward to the operator');
  await ports.committer.commit([{ kind: 'inbound.seen', key, now, expiresAt: now + REMEMBERED_SECONDS }]);
  ports.count('mail_forwarded', address.split('@')[0] ?? '');
};
