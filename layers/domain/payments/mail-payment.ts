// USDC that a sender paid to the recipient of a mail, on the test network: checked against the chain, and used up in the
// transaction that delivers the mail.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Change } from '../ports/changes.ts';
import type { PaymentChainId } from '../ports/payments.ts';
import type { Ids } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import { type FindPaymentPorts, findPayment, type PaymentWanted } from './find-payment.ts';
import { parseUsdc, usdcText } from './pricing.ts';
import { CHAIN_NAMES, redeemChanges, redeemedPayment } from './redeem.ts';

const MAIL_CHAIN_ID: PaymentChainId = 84532;

export interface MailPaymentClaim {
  readonly txHash: string;
  /** USDC as decimal text; the chain may show more. */
  readonly amount: string;
}

export interface MailPayment {
  /** USDC that the chain shows, as decimal text. */
  readonly amount: string;
  readonly txHash: string;
  readonly network: string;
  /** Go into the transaction of the mail. */
  readonly changes: readonly Change[];
}

export interface PaidMail {
  readonly sender: Wallet;
  /** Undefined for mail to the outside. */
  readonly recipient: Wallet | undefined;
  readonly now: number;
}

export type CheckMailPayment = (claim: MailPaymentClaim, mail: PaidMail) => Promise<Outcome<MailPayment>>;

/** Checks the payment that a mail claims; `recipient` is undefined for mail to the outside. */
export const checkMailPayment = async (
  ports: FindPaymentPorts & { readonly ids: Ids },
  claim: MailPaymentClaim,
  mail: PaidMail,
): Promise<Outcome<MailPayment>> => {
  if (mail.recipient === undefined) return fail('wrong_recipient', { message: 'usdc_payment is for recipients of this service only' });
  const least = parseUsdc(claim.amount);
  if (!least.ok) return least;
  const wanted: PaymentWanted = {
    text: claim.txHash,
    wallet: mail.sender,
    to: mail.recipient,
    currency: 'USDC',
    least: least.value,
    chainIds: [MAIL_CHAIN_ID],
    isChainNamed: false,
    now: mail.now,
  };
  const found = await findPayment(ports, wanted);
  if (!found.ok) return found;
  const payment = redeemedPayment(found.value, wanted, { product: 'mail', credits: 0n, attn: 0n });
  const changes = redeemChanges(ports.ids, payment);
  return ok({ amount: usdcText(found.value.amount), txHash: payment.hash, network: CHAIN_NAMES[MAIL_CHAIN_ID], changes });
};
