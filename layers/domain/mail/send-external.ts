// Mail to the outside world: charged and queued in one transaction, handed over once, and settled exactly once. Nothing
// is ever sent again blindly: a call without an answer is settled by the provider's own event, or by the sweep.
import { fail, invariant, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import type { Movement } from '../ledger/movements.ts';
import type { Change, Committer, OutboxEntry } from '../ports/changes.ts';
import type { SnippetOf } from '../ports/mail-content.ts';
import type { Standings } from '../ports/mail.ts';
import type { Courier, Limiter, LimitState, MailObjects, Suppressions } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';
import type { DeliveryState, MailRow } from './mail.ts';
import { type Outgoing, putCopy, rowBase } from './outgoing.ts';
import { counted, releaseLimits, takeLimits } from './send-limits.ts';
import { settleOutbox } from './settle-outbox.ts';
import { isPaused } from './standing.ts';

/** After this long without an event of the provider, the sweep gives the credit back. */
export const OUTBOX_PATIENCE_SECONDS = 900;
/** Answers to a message come within this time; later ones begin a thread of their own. */
const WIRE_ID_LIFE_SECONDS = 400 * SECONDS_PER_DAY;

/** Two answers to one message race for being the first. */
const ROUNDS_MAX = 3;

export interface ExternalSendPorts {
  readonly limiter: Limiter;
  readonly suppressions: Suppressions;
  readonly standings: Standings;
  readonly objects: MailObjects;
  readonly committer: Committer;
  readonly courier: Courier;
  readonly snippetOf: SnippetOf;
  readonly ids: Ids;
}

export interface ExternalReport {
  readonly delivery: Extract<DeliveryState, 'queued' | 'sent'>;
  readonly creditsAfter: bigint;
}

export interface ExternalSend {
  readonly sender: Account;
  readonly outgoing: Outgoing;
  readonly sourceIp: string;
  readonly now: number;
  readonly showLimits: (state: LimitState) => void;
  readonly outOfCredits: (credits: bigint) => Outcome<never>;
  /** The call itself was paid for: its changes bring the credit that the message takes. */
  readonly isPaid?: boolean;
  readonly commitReply: (report: ExternalReport) => Promise<Change[]>;
  readonly dropReply: () => Change[];
}

/** The id of the movement that charged a message. */
export const spendId = (ids: Ids, emailId: string, at: number): string => ids.derived(at, `send ${emailId}`, emailId);

const creditMovement = (ids: Ids, wallet: Wallet, emailId: string, at: number): Movement => ({
  id: spendId(ids, emailId, at),
  asset: 'CREDIT',
  type: 'send_external',
  debit: wallet,
  credit: 'fee',
  amount: 1n,
  at,
  reference: { emailId },
});

export interface ChargedMessage {
  readonly wallet: Wallet;
  readonly emailId: string;
  readonly chargedAt: number;
}

/**
 * Gives the credit of a message back. The row stands at the moment of the refund, which may be long after the message, so
 * a mark keeps two paths from doing it twice: the second is refused with `already_claimed`.
 */
export const creditRefund = (ids: Ids, { wallet, emailId, chargedAt }: ChargedMessage, at: number): Change[] => {
  const movement: Movement = {
    id: ids.next(at, spendId(ids, emailId, chargedAt)),
    asset: 'CREDIT',
    type: 'refund',
    debit: 'fee',
    credit: wallet,
    amount: 1n,
    at,
    reference: { emailId },
  };
  return [
    { kind: 'refund.mark', wallet, emailId },
    { kind: 'movement', movement },
  ];
};

const sentRow = (ports: ExternalSendPorts, { sender, outgoing, now }: ExternalSend): MailRow => ({
  owner: sender.wallet,
  id: outgoing.emailId,
  folder: 'sent',
  isRead: true,
  ...rowBase(outgoing, sender.wallet, ports.snippetOf, now),
  delivery: 'queued',
});

/** Remembers under which id a message left, so that answers to that id find their thread. */
export const wireChange = (message: { wallet: Wallet; emailId: string }, wireId: string, at: number): Change => ({
  kind: 'wire.put',
  wireId,
  wallet: message.wallet,
  emailId: message.emailId,
  expiresAt: at + WIRE_ID_LIFE_SECONDS,
});

const chargeChanges = (ports: ExternalSendPorts, send: ExternalSend): Change[] => {
  const { sender, outgoing, now } = send;
  const { wallet } = sender;
  const entry: OutboxEntry = {
    wallet,
    emailId: outgoing.emailId,
    to: outgoing.draft.to,
    createdAt: now,
    dueAt: now + OUTBOX_PATIENCE_SECONDS,
  };
  const refused = send.outOfCredits(0n);
  invariant(!refused.ok, 'out of credits is a failure');
  return [
    { kind: 'movement', movement: creditMovement(ports.ids, wallet, outgoing.emailId, now), refusal: refused },
    { kind: 'account.change', wallet, add: { sent: 1, everSent: 1 } },
    { kind: 'mail.put', row: sentRow(ports, send), attachments: outgoing.attachments },
    { kind: 'outbox.put', entry },
    { kind: 'standing.sent', wallet },
  ];
};

/** A message that was handed over is sent, even when this cannot be written down now: the provider's event settles it then. */
const markSent = async (ports: ExternalSendPorts, { sender, outgoing, now }: ExternalSend, wireId: string): Promise<'sent' | 'queued'> => {
  const message = { wallet: sender.wallet, emailId: outgoing.emailId };
  const end = { ...message, to: 'sent', wireId, along: [wireChange(message, wireId, now)] } as const;
  try {
    await settleOutbox(ports.committer, end);
    return 'sent';
  } catch {
    return 'queued';
  }
};

const takeBack = async (ports: ExternalSendPorts, send: ExternalSend, reason: string): Promise<Outcome<never>> => {
  const { sender, outgoing, now } = send;
  const { wallet } = sender;
  const { emailId } = outgoing;
  const refund = creditRefund(ports.ids, { wallet, emailId, chargedAt: now }, now);
  await settleOutbox(ports.committer, { wallet, emailId, to: 'failed', along: [...refund, ...send.dropReply()] });
  return fail('delivery_failed', { hint: `The credit was given back. The provider said: ${reason}` });
};

/** A paid call brings its own credit. */
const creditsAfter = ({ sender, isPaid }: ExternalSend): bigint => (isPaid ? sender.credits : sender.credits - 1n);

const handOver = async (ports: ExternalSendPorts, send: ExternalSend): Promise<Outcome<ExternalReport>> => {
  const { sender, outgoing } = send;
  const { emailId, from, bytes, draft } = outgoing;
  const handed = await ports.courier.send({ from, to: draft.to, bytes, emailId, wallet: sender.wallet });
  if (handed.result === 'refused') return takeBack(ports, send, handed.reason);
  const delivery = handed.result === 'accepted' ? await markSent(ports, send, handed.wireId) : 'queued';
  return ok({ delivery, creditsAfter: creditsAfter(send) });
};

/** Whom the account may not write to, and whether it may write at all. */
const mayWrite = async (ports: ExternalSendPorts, { sender, outgoing }: ExternalSend): Promise<Outcome<void>> => {
  const [suppressed, standing] = await Promise.all([
    ports.suppressions.reasonFor(sender.wallet, outgoing.draft.to),
    ports.standings.of(sender.wallet),
  ]);
  if (suppressed) return fail('recipient_suppressed');
  return isPaused(standing) ? fail('sender_paused') : ok(undefined);
};

const charge = async (ports: ExternalSendPorts, send: ExternalSend): Promise<Outcome<ExternalReport>> => {
  const { sender, outgoing } = send;
  if (sender.credits < 1n && !send.isPaid) return send.outOfCredits(sender.credits);
  await putCopy(ports.objects, sender.wallet, outgoing.emailId, outgoing);
  const queued = { delivery: 'queued', creditsAfter: creditsAfter(send) } as const;
  for (let round = 0; ; round += 1) {
    const changes = [...chargeChanges(ports, send), ...(await outgoing.reply.answer()), ...(await send.commitReply(queued))];
    const charged = await ports.committer.commit(changes);
    if (charged.ok) return handOver(ports, send);
    if (charged.code !== 'try_again' || round === ROUNDS_MAX) return charged;
  }
};

/** Sends one message for one credit (decisions, "External send"). */
export const sendExternal = async (ports: ExternalSendPorts, send: ExternalSend): Promise<Outcome<ExternalReport>> => {
  const allowed = await mayWrite(ports, send);
  if (!allowed.ok) return allowed;
  const limits = await takeLimits(ports.limiter, send);
  if (!limits.ok) return limits;
  return counted(
    () => releaseLimits(ports.limiter, send),
    () => charge(ports, send),
  );
};
