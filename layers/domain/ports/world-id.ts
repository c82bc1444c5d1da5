// Proof of human (World ID): what the domain asks of the verifier, of the signer, and of the store of proofs.
import type { Wallet } from '../values/wallet.ts';

/** What identifies this service to World ID; configuration, never the body of a request. */
export interface WorldIdTerms {
  readonly appId: string;
  readonly rpId: string;
  readonly action: string;
  /** The only environment whose proofs count: `production`, or `staging` on the local stack. */
  readonly environment: string;
}

/** A request as IDKit needs it, signed by the relying party. Times in Unix seconds. */
export interface SignedRequest {
  readonly signature: string;
  /** `0x` and 64 hexadecimal digits: a field element. */
  readonly nonce: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface RequestSigner {
  /** `key-missing`: the operator has set no signing key, or one that is none. */
  sign(action: string, now: number): Promise<SignedRequest | 'key-missing'>;
  /** How a wallet stands in a proof as its signal: `0x` and 64 hexadecimal digits. */
  signalOf(wallet: Wallet): Promise<string>;
}

export interface VerifiedProof {
  /** What is the same for one human, service and action, as the verifier states it. */
  readonly nullifier: string;
  readonly level: string;
}

export interface ProofVerifier {
  /** Has a proof checked, unchanged. `refused` says why, `unavailable` that the verifier did not answer. */
  verify(result: Readonly<Record<string, unknown>>): Promise<VerifiedProof | { readonly refused: string } | 'unavailable'>;
}

/** The proof that an account holds. */
export interface HumanProof {
  readonly wallet: Wallet;
  /** Normalised: lower-case hexadecimal without leading zeros. */
  readonly nullifier: string;
  readonly level: string;
  readonly verifiedAt: number;
}

export interface HumanProofs {
  of(wallet: Wallet): Promise<HumanProof | undefined>;
  /** Remembers a nonce for the account it was issued to. */
  issueNonce(nonce: string, wallet: Wallet, expiresAt: number): Promise<void>;
  /** Whether a nonce was issued to this account, and was neither used nor forgotten. */
  isNonceOf(nonce: string, wallet: Wallet, now: number): Promise<boolean>;
}
