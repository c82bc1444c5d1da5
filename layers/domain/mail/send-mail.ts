// Sending one message: checks it, composes it once, and takes it inside or outside.
import { fail, ok, type Outcome } from '../errors.ts';
import type { AliasPorts } from '../identity/aliases.ts';
import type { ParseAddress } from '../ports/mail-content.ts';
import { type ComposePorts, composeOutgoing, type Outgoing, replyContext, type ReplyPorts } from './outgoing.ts';
import { type ExternalReport, type ExternalSendPorts, sendExternal } from './send-external.ts';
import { isOperatorMailbox } from '../values/wallet.ts';
import { mailboxNameOf } from './resolve-recipient.ts';
import { type InternalSendPorts, sendInternal, type StakeReport } from './send-internal.ts';
import { keepPace, showLimitsUnchanged } from './send-limits.ts';
import { senderHandle } from './send-as.ts';
import type { SendRequest, SentMail } from './send-request.ts';
import { type OperatorSendPorts, sendToOperator } from './send-to-operator.ts';
import { withMailPayment } from './with-mail-payment.ts';
import type { CheckMailPayment } from '../payments/mail-payment.ts';

export interface SendPorts extends ComposePorts, ReplyPorts, InternalSendPorts, ExternalSendPorts, OperatorSendPorts, AliasPorts {
  readonly parseAddress: ParseAddress;
  readonly checkMailPayment: CheckMailPayment;
}

const sentMail = ({ emailId, from, draft, attachments }: Outgoing): SentMail => ({
  emailId,
  from,
  to: draft.to,
  subject: draft.subject,
  attachmentCount: attachments.length,
});

const isInternal = (ports: SendPorts, to: string): boolean => to.endsWith(`@${ports.mailDomain}`);

const isForOperator = (ports: SendPorts, to: string): boolean =>
  isInternal(ports, to) && isOperatorMailbox(mailboxNameOf(to.split('@')[0] ?? ''));

const prepare = async (ports: SendPorts, request: SendRequest): Promise<Outcome<Outgoing>> => {
  const to = ports.parseAddress(request.draft.to)?.address;
  if (to === undefined) return fail('invalid_recipient');
  const { sender, now } = request;
  const reply = await replyContext(ports, sender.wallet, request.inReplyTo, ports.mailDomain, now);
  if (!reply.ok) return reply;
  const handle = await senderHandle(ports, sender, request.fromHandle, now);
  if (!handle.ok) return handle;
  const draft = { ...request.draft, to };
  const message = { emailId: ports.ids.next(now), sender, handle: handle.value, draft, reply: reply.value, now };
  return composeOutgoing(ports, { ...message, isExternal: !isInternal(ports, to) || isForOperator(ports, to) });
};

type Limited = Pick<SendRequest, 'sender' | 'sourceIp' | 'now' | 'showLimits'>;

const limitedOf = ({ sender, sourceIp, now, showLimits }: SendRequest): Limited => ({ sender, sourceIp, now, showLimits });

/** Inside: to an agent at once, or to the operator behind postmaster@ and abuse@. */
const deliverInside = async (ports: SendPorts, request: SendRequest, outgoing: Outgoing, sent: SentMail): Promise<Outcome<SentMail>> => {
  const commitReply = (stake: StakeReport) => request.commitReply({ ...sent, stake });
  const send = { ...limitedOf(request), outgoing, commitReply };
  const { parent } = outgoing.reply;
  const isToOperator = isForOperator(ports, sent.to);
  if (!isToOperator) await showLimitsUnchanged(ports.limiter, send);
  const deliver = () => (isToOperator ? sendToOperator(ports, { ...send, charge: request.charge }) : sendInternal(ports, send));
  const answer = parent && { threadId: parent.thread.id, sender: request.sender.wallet, now: request.now };
  const stake = await (answer ? keepPace(ports.limiter, answer, deliver) : deliver());
  return stake.ok ? ok({ ...sent, stake: stake.value }) : stake;
};

const deliverOutside = async (ports: SendPorts, request: SendRequest, outgoing: Outgoing, sent: SentMail): Promise<Outcome<SentMail>> => {
  const { outOfCredits, dropReply, charge } = request;
  const commitReply = (external: ExternalReport) => request.commitReply({ ...sent, external });
  const external = await sendExternal(ports, {
    ...limitedOf(request),
    outgoing,
    outOfCredits,
    isPaid: charge !== undefined,
    commitReply,
    dropReply,
  });
  return external.ok ? ok({ ...sent, external: external.value }) : external;
};

/** Sends one message (interface, `POST /api/send`). */
export const sendMail = async (ports: SendPorts, request: SendRequest): Promise<Outcome<SentMail>> => {
  const outgoing = await prepare(ports, request);
  if (!outgoing.ok) return outgoing;
  const primary = request.fromHandle === undefined ? {} : { primaryHandle: request.sender.handle };
  const sent = { ...sentMail(outgoing.value), ...primary };
  const inside = isInternal(ports, sent.to);
  const paid = await withMailPayment(ports, request, { sent, isInside: inside && !isForOperator(ports, sent.to) });
  if (!paid.ok) return paid;
  const deliver = inside ? deliverInside : deliverOutside;
  return deliver(ports, paid.value.request, outgoing.value, paid.value.sent);
};
