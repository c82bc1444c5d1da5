// Changes of proofs of human.
import type { Wallet } from '../../values/wallet.ts';
import type { HumanProof } from '../world-id.ts';

export type WorldIdChange =
  /** Links a proof to an account; refused when its human stands behind another one, or this account has one already. */
  | { readonly kind: 'human.link'; readonly proof: HumanProof }
  /** Takes the link away, and sets the proof free for another account. */
  | { readonly kind: 'human.unlink'; readonly proof: HumanProof }
  /** Uses a nonce up; refused when it is not this account's, used or expired. */
  | { readonly kind: 'human.nonce'; readonly nonce: string; readonly wallet: Wallet; readonly now: number };
