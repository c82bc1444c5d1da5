// Changes of payments: redeemed transactions, calls that were paid for, and proofs of human.
import type { Wallet } from '../../values/wallet.ts';
import type { RedeemedPayment } from '../payments.ts';

/** A call that was paid for and not made yet. */
export interface EntitlementKey {
  readonly wallet: Wallet;
  /** The operation that was paid for. */
  readonly scope: string;
  /** Hash of the signed payment. */
  readonly id: string;
}

export type PaymentChange =
  /** Uses a transaction hash up; refused when any product used it before. */
  | { readonly kind: 'payment.redeem'; readonly payment: RedeemedPayment }
  /** Writes down where the payment stands now and when it is looked at next; refused when someone else did so meanwhile. */
  | { readonly kind: 'payment.check'; readonly payment: RedeemedPayment; readonly before: RedeemedPayment }
  /** Sets the hash free again, with what it gave being taken back. */
  | { readonly kind: 'payment.revoke'; readonly payment: RedeemedPayment; readonly at: number }
  /** Spends a paid call, in the transaction of what it was paid for; refused when it was spent before. */
  | { readonly kind: 'entitlement.spend'; readonly entitlement: EntitlementKey };
