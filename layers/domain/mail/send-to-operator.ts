// Mail of an agent to postmaster@ or abuse@: no mailbox here, a person outside reads it (RFC 2142). Free like mail inside,
// limited like mail outside, since it leaves.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { SnippetOf } from '../ports/mail-content.ts';
import type { Courier, Limiter, MailObjects } from '../ports/stores.ts';
import type { MailRow } from './mail.ts';
import { type Outgoing, putCopy, rowBase } from './outgoing.ts';
import type { StakeReport } from './send-internal.ts';
import { counted, type LimitedSend, releaseLimits, takeLimits } from './send-limits.ts';

/** Two answers to one message race for being the first. */
const ROUNDS_MAX = 3;

export interface OperatorSendPorts {
  /** Where mail to the operator's mailboxes goes; empty when nobody said. */
  readonly operatorEmail: string;
  readonly limiter: Limiter;
  readonly objects: MailObjects;
  readonly courier: Courier;
  readonly committer: Committer;
  readonly snippetOf: SnippetOf;
}

export interface OperatorSend extends LimitedSend {
  readonly outgoing: Outgoing;
  /** Takes the money of a paid call; here before the message leaves, since no transaction can hold that back. */
  readonly charge?: (() => Promise<unknown>) | undefined;
  readonly commitReply: (report: StakeReport) => Promise<Change[]>;
}

const sentRow = (ports: OperatorSendPorts, { sender, outgoing, now }: OperatorSend): MailRow => ({
  owner: sender.wallet,
  id: outgoing.emailId,
  folder: 'sent',
  isRead: true,
  ...rowBase(outgoing, sender.wallet, ports.snippetOf, now),
});

/** Handed over first: should the process die before the copy is written down, the operator has the mail all the same. */
const handOver = async (ports: OperatorSendPorts, send: OperatorSend): Promise<Outcome<StakeReport>> => {
  const { sender, outgoing } = send;
  const { emailId, from, bytes } = outgoing;
  const handed = await ports.courier.send({ from, to: ports.operatorEmail, bytes, emailId, wallet: sender.wallet });
  if (handed.result === 'refused') return fail('delivery_failed', { hint: `The provider said: ${handed.reason}` });
  const report: StakeReport = { amount: 0n, reason: 'external', balanceAfter: sender.attn };
  await putCopy(ports.objects, sender.wallet, emailId, outgoing);
  for (let round = 0; ; round += 1) {
    const committed = await ports.committer.commit([
      { kind: 'mail.put', row: sentRow(ports, send), attachments: outgoing.attachments },
      { kind: 'account.change', wallet: sender.wallet, add: { sent: 1, everSent: 1 } },
      ...(await outgoing.reply.answer()),
      ...(await send.commitReply(report)),
    ]);
    if (committed.ok) return ok(report);
    if (committed.code !== 'try_again' || round === ROUNDS_MAX) return committed;
  }
};

export const sendToOperator = async (ports: OperatorSendPorts, send: OperatorSend): Promise<Outcome<StakeReport>> => {
  if (ports.operatorEmail === '') return notFound('Recipient');
  const limits = await takeLimits(ports.limiter, send);
  if (!limits.ok) return limits;
  return counted(
    () => releaseLimits(ports.limiter, send),
    async () => {
      await send.charge?.();
      return handOver(ports, send);
    },
  );
};
