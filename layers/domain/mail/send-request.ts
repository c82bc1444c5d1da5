// What sending a message is asked for, and what it answers.
import type { Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import type { MailPayment, MailPaymentClaim } from '../payments/mail-payment.ts';
import type { Change } from '../ports/changes.ts';
import type { LimitState } from '../ports/stores.ts';
import type { OutgoingDraft } from './outgoing.ts';
import type { ExternalReport } from './send-external.ts';
import type { StakeReport } from './send-internal.ts';

export interface SentMail {
  readonly emailId: string;
  readonly from: string;
  /** The account's own handle, when the message went out under another name of its wallet. */
  readonly primaryHandle?: string;
  readonly to: string;
  readonly subject: string;
  readonly attachmentCount: number;
  readonly stake?: StakeReport;
  readonly external?: ExternalReport;
  /** What the chain shows of the payment that came with it. */
  readonly usdcPayment?: MailPayment;
}

export interface SendRequest {
  readonly sender: Account;
  readonly draft: OutgoingDraft;
  readonly inReplyTo: string | undefined;
  /** Another name to send under; the wallet has to own it. */
  readonly fromHandle?: string | undefined;
  readonly sourceIp: string;
  readonly now: number;
  readonly showLimits: (state: LimitState) => void;
  readonly outOfCredits: (credits: bigint) => Outcome<never>;
  /** Takes the money of a call that is paid for; such a call takes no credit. */
  readonly charge?: (() => Promise<unknown>) | undefined;
  /** USDC that the sender paid to the recipient, to be checked on chain. */
  readonly usdcPayment?: MailPaymentClaim | undefined;
  readonly commitReply: (sent: SentMail) => Promise<Change[]>;
  readonly dropReply: () => Change[];
}
