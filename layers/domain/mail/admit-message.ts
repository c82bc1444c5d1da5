// Whether a message from outside is taken in at all, and whether its sender may be told that it did not arrive.
import type { InboundMessage } from './receive-mail.ts';

/** RFC 5321 asks servers to expect loops beyond a number of hops; honest mail passes fewer than ten. */
const RECEIVED_MAX = 25;

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Two From fields name nobody, but a reader's program may show either, so any mention of our domain in them counts. */
const claimsOurName = ({ parsed, envelopeFrom }: InboundMessage, mailDomain: string): boolean => {
  if (parsed.from) return isWithin(hostOf(parsed.from.address), mailDomain);
  const written = (parsed.headers.get('from') ?? []).join(' ').toLowerCase();
  return written.includes(`@${mailDomain}`) || isWithin(hostOf(envelopeFrom), mailDomain);
};

export type Rejection = 'mail_loop' | 'forged_sender';

/**
 * Agents' mail among themselves never comes in by SMTP, so a From of our own domain is forged unless DMARC vouches for
 * it: anyone could otherwise write as any agent to any other. Where there is no usable From, DMARC vouched for something
 * that no reader is shown.
 */
export const rejectionOf = (message: InboundMessage, mailDomain: string): Rejection | undefined => {
  if (message.parsed.receivedCount > RECEIVED_MAX) return 'mail_loop';
  const isVouchedFor = message.verdicts.dmarc === 'PASS' && message.parsed.from !== undefined;
  return !isVouchedFor && claimsOurName(message, mailDomain) ? 'forged_sender' : undefined;
};

/** Addresses that stand for programs: an answer to them comes back as another answer (RFC 3834, section 2). */
const PROGRAM = /^(?:mailer-daemon|postmaster|owner-.*|.*-request|no-?reply|bounces?(?:[+-].*)?)$/;

const isPerson = (address: string): boolean => {
  const at = address.lastIndexOf('@');
  return at > 0 && !PROGRAM.test(address.slice(0, at).toLowerCase());
};

/** DMARC vouches for From alone; the bounce goes to the envelope sender, who must be the same party or a bystander gets it. */
const isSameParty = ({ parsed, envelopeFrom, verdicts }: InboundMessage): boolean => {
  const from = hostOf(parsed.from?.address ?? '');
  const envelope = hostOf(envelopeFrom);
  return verdicts.spf === 'PASS' || isWithin(envelope, from) || isWithin(from, envelope);
};

/** Whether a bounce would reach who wrote the message and could not start a loop (RFC 3834). */
export const mayBounce = (message: InboundMessage): boolean => {
  const { parsed, verdicts, envelopeFrom } = message;
  if (verdicts.dmarc !== 'PASS' || verdicts.virus === 'FAIL') return false;
  if (parsed.autoSubmitted !== undefined || parsed.isBounce || parsed.isList) return false;
  return isPerson(envelopeFrom) && isSameParty(message);
};
