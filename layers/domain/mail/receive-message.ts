// One message from outside, whole: refused or taken in for every envelope recipient, forwarded to the operator where it
// is for postmaster@ or abuse@, bounced where nobody is there, and then marked in the journal as done.
import { InfrastructureError } from '../errors.ts';
import type { BounceReason, Bouncer, CountEvent } from '../ports/mail.ts';
import { dayOf, SECONDS_PER_DAY } from '../values/time.ts';
import { isOperatorMailbox } from '../values/wallet.ts';
import { mayBounce, rejectionOf } from './admit-message.ts';
import { type ForwardPorts, forwardToOperator } from './forward-to-operator.ts';
import { type InboundMessage, type ReceivePorts, receiveFor, type Receipt } from './receive-mail.ts';
import { mailboxNameOf } from './resolve-recipient.ts';

export interface MessagePorts extends ReceivePorts, ForwardPorts {
  readonly bouncer: Bouncer;
  readonly count: CountEvent;
}

/** The journal keeps messages for 30 days; a mark has to outlive its message. */
const MARK_SECONDS = 31 * SECONDS_PER_DAY;

/** The mark that the journal's sweep looks for. */
export const journalMark = (sha256Hex: (text: string) => string, sesId: string): string => sha256Hex(`journal ${sesId}`);

export interface Failed {
  readonly address: string;
  readonly reason: BounceReason;
}

export type Fate = Receipt | 'forwarded';

const nameOf = (address: string): string => mailboxNameOf(address.slice(0, address.lastIndexOf('@')));

const deliver = async (ports: MessagePorts, message: InboundMessage, address: string): Promise<Fate> => {
  if (isOperatorMailbox(nameOf(address))) {
    await forwardToOperator(ports, message, address);
    return 'forwarded';
  }
  const receipt = await receiveFor(ports, message, address);
  if (!receipt.ok) throw new InfrastructureError(`a recipient could not be served: ${receipt.code}`);
  return receipt.value;
};

const isReason = (fate: Fate): fate is BounceReason =>
  fate === 'unknown_mailbox' || fate === 'message_too_large' || fate === 'mailbox_full';

/**
 * At most one bounce a day for one sender. The mark is made first and knows its message: should the process die after it,
 * the message that comes again may try again, and no other.
 */
const bounce = async (ports: MessagePorts, message: InboundMessage, failed: readonly Failed[]): Promise<void> => {
  if (failed.length === 0) return;
  const { receivedAt: now, envelopeFrom, sesId } = message;
  if (!mayBounce(message)) return ports.count('mail_unbounced', 'untrusted_or_automatic');
  const key = ports.digests.sha256Hex(`bounce ${envelopeFrom.toLowerCase()} ${dayOf(now)}`);
  const marked = await ports.committer.commit([{ kind: 'inbound.seen', key, now, expiresAt: now + 2 * SECONDS_PER_DAY, by: sesId }]);
  if (!marked.ok) return ports.count('mail_unbounced', 'bounced_today');
  const result = await ports.bouncer.bounce({ sesId, failed });
  // One whose answer was lost may be on its way: silence is the lesser evil than a second report.
  if (result === 'sent' || result === 'unknown') return ports.count('mail_bounced', failed[0]?.reason ?? 'unknown_mailbox');
  await ports.committer.commit([{ kind: 'inbound.forget', key }]);
  if (result === 'unavailable') throw new InfrastructureError('the provider sends no bounce at the moment');
  ports.count('mail_unbounced', 'refused_by_provider');
};

const markDone = async (ports: MessagePorts, { sesId, receivedAt: now }: InboundMessage): Promise<void> => {
  const key = journalMark(ports.digests.sha256Hex, sesId);
  const marked = await ports.committer.commit([{ kind: 'inbound.seen', key, now, expiresAt: now + MARK_SECONDS }]);
  if (!marked.ok && marked.code !== 'already_claimed') throw new InfrastructureError('a message could not be marked as done');
};

/** Deals with a message; safe to repeat after a death at any point. What is refused stays in the journal, and is counted. */
export const receiveMessage = async (
  ports: MessagePorts,
  message: InboundMessage,
  recipients: readonly string[],
): Promise<readonly string[]> => {
  // What is taken out of the dead letters may have been dealt with long ago.
  if (await ports.seenMarks.has(journalMark(ports.digests.sha256Hex, message.sesId), message.receivedAt)) return ['repeated'];
  const rejection = rejectionOf(message, ports.mailDomain);
  const fates: Fate[] = [];
  const failed: Failed[] = [];
  if (rejection) ports.count('mail_refused', rejection);
  for (const address of rejection ? [] : new Set(recipients)) {
    const fate = await deliver(ports, message, address);
    fates.push(fate);
    if (isReason(fate)) failed.push({ address, reason: fate });
  }
  await bounce(ports, message, failed);
  await markDone(ports, message);
  return rejection ? [rejection] : fates;
};
