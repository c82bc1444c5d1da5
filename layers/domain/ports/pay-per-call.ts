// Calls that are paid for one by one (MPP): what the domain asks of whoever takes the money, and of the store that
// remembers which payments were used and which paid calls are still owed.
import type { Outcome } from '../errors.ts';
import type { Wallet } from '../values/wallet.ts';
import type { Change } from './changes.ts';
import type { EntitlementKey } from './changes/payments.ts';

/** What one call of an operation costs. */
export interface Offer {
  /** The operation; a payment for one is refused by every other. */
  readonly scope: string;
  /** Smallest unit of the currency, 6 decimals. */
  readonly units: bigint;
  readonly description: string;
}

export interface PaymentChallenge {
  /** As it stands in `WWW-Authenticate`. */
  readonly header: string;
  /** Its terms, for people. */
  readonly terms: Readonly<Record<string, unknown>>;
}

/** A credential as it was presented: nothing in it is believed yet. */
export interface PresentedCredential {
  readonly header: string;
  readonly challengeId: string;
  /** Hash of the payment: of the signed transaction, or of the one that was sent. */
  readonly paymentHash: string;
}

/** Writes a payment down before it is sent to the chain, so that a process that dies then leaves a trace. */
export interface PaymentJournal {
  /** False when the payment was used before. `expiresAt` in Unix seconds. */
  claim(hash: string, expiresAt: number): Promise<boolean>;
  /** The payment was never sent after all. */
  release(hash: string): Promise<void>;
}

export type Settlement = 'paid' | 'failed' | 'unknown' | 'unavailable';

/** Takes the money. Refusals are `payment_required` (402) with the reason, outages `chain_unavailable`. */
export interface Teller {
  challenge(offer: Offer): Promise<PaymentChallenge>;
  /** Takes a credential apart; `payment_required` for anything malformed. */
  read(header: string): Promise<Outcome<PresentedCredential>>;
  /** The wallet that pays, proven and not claimed. Nothing is charged, nothing is written. */
  validate(credential: PresentedCredential, offer: Offer): Promise<Outcome<Wallet>>;
  /** Charges; the payment counts once it is in a block. Gives the hash of its transaction. */
  charge(credential: PresentedCredential, offer: Offer, journal: PaymentJournal): Promise<Outcome<string>>;
  /** What became of a payment's transaction. */
  settlementOf(reference: string): Promise<Settlement>;
  /** The `Payment-Receipt` of a payment. */
  receipt(reference: string, paidAt: number): Promise<string>;
}

/** A paid call that is owed: charged, and not made yet. */
export interface Entitlement extends EntitlementKey {
  /** Hash of the payment's transaction. */
  readonly reference: string;
  /** Unix seconds of its charge. */
  readonly at: number;
}

/** A payment that was used before, and for what. */
export interface UsedCredential {
  readonly challengeId: string;
  readonly entitlement: EntitlementKey;
}

export interface PaidCallStore {
  findUsed(hash: string): Promise<UsedCredential | undefined>;
  find(key: EntitlementKey): Promise<Entitlement | undefined>;
  /** What a wallet has paid for and not got yet, oldest first. */
  owed(wallet: Wallet, scope: string): Promise<readonly Entitlement[]>;
  /** Uses a payment up and notes the call that is owed for it, in one write; false when it was used before. */
  claim(claim: { readonly hash: string; readonly use: UsedCredential; readonly now: number; readonly expiresAt: number }): Promise<boolean>;
  /** Forgets a payment that was never sent. */
  release(hash: string, key: EntitlementKey): Promise<void>;
  /** Drops a call whose payment failed on chain. */
  drop(key: EntitlementKey): Promise<void>;
}

export interface Charged {
  /** Spends what was paid, in the transaction of what it was paid for. */
  readonly changes: readonly Change[];
  /** Hash of the payment's transaction. */
  readonly reference: string;
  /** The `Payment-Receipt` header. */
  readonly receipt: string;
}

/** A call with a good credential. */
export interface PaidCall {
  readonly payer: Wallet;
  /** Takes the money, after every check that can refuse; a call that is still owed to the payer is not charged again. */
  charge(): Promise<Outcome<Charged>>;
  /** Whether the credential has done its work meanwhile, in another request. */
  isSpent(): Promise<boolean>;
}

export interface PayPerCall {
  challenge(offer: Offer): Promise<PaymentChallenge>;
  /** Proves who pays; nothing is charged yet. */
  open(header: string, offer: Offer, now: number): Promise<Outcome<PaidCall>>;
}
