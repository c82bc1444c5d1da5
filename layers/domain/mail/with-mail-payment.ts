// A mail that claims a USDC payment to its recipient: the payment is checked on chain first, and its hash is used up in
// the transaction that delivers the mail.
import { notFound, ok, type Outcome } from '../errors.ts';
import type { CheckMailPayment } from '../payments/mail-payment.ts';
import type { Wallet } from '../values/wallet.ts';
import { mailboxNameOf, type RecipientPorts, resolveRecipient } from './resolve-recipient.ts';
import type { SendRequest, SentMail } from './send-request.ts';

export interface MailPaymentPorts extends RecipientPorts {
  readonly checkMailPayment: CheckMailPayment;
}

export interface PayableMail {
  readonly sent: SentMail;
  /** To a mailbox here; anyone else has no wallet that is known. */
  readonly isInside: boolean;
}

const walletBehind = async (ports: MailPaymentPorts, { sent, isInside }: PayableMail): Promise<Outcome<Wallet | undefined>> => {
  if (!isInside) return ok(undefined);
  const recipient = await resolveRecipient(ports, mailboxNameOf(sent.to.split('@')[0] ?? ''));
  if (recipient.kind === 'unknown') return notFound('Recipient');
  return ok(recipient.kind === 'account' ? recipient.account.wallet : recipient.wallet);
};

/** The request and the report with the payment in them; both as they were when the mail claims none. */
export const withMailPayment = async (
  ports: MailPaymentPorts,
  request: SendRequest,
  mail: PayableMail,
): Promise<Outcome<{ readonly request: SendRequest; readonly sent: SentMail }>> => {
  const { usdcPayment: claim, sender, now } = request;
  if (!claim) return ok({ request, sent: mail.sent });
  const recipient = await walletBehind(ports, mail);
  if (!recipient.ok) return recipient;
  const payment = await ports.checkMailPayment(claim, { sender: sender.wallet, recipient: recipient.value, now });
  if (!payment.ok) return payment;
  const usdcPayment = payment.value;
  const commitReply: SendRequest['commitReply'] = async (sent) => [...usdcPayment.changes, ...(await request.commitReply(sent))];
  return ok({ request: { ...request, commitReply }, sent: { ...mail.sent, usdcPayment } });
};
