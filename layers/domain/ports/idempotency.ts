// Idempotency keys: a request that is repeated gets the stored reply, and its effect happens once (decisions, "Mail").
import type { ClaimToken } from './changes.ts';

export interface StoredReply {
  readonly status: number;
  /** The JSON body. */
  readonly body: unknown;
}

export type ClaimResult =
  /** The request is ours to run; its transaction commits the claim. */
  | { readonly result: 'claimed'; readonly claim: ClaimToken }
  | { readonly result: 'running' }
  /** The key was used with another request. */
  | { readonly result: 'mismatch' }
  | { readonly result: 'replay'; readonly reply: StoredReply };

export interface Idempotency {
  /** `scope` is the caller and the operation; `fingerprint` a hash of the canonical request. */
  claim(request: {
    readonly scope: string;
    readonly key: string;
    readonly fingerprint: string;
    readonly now: number;
  }): Promise<ClaimResult>;
  /** Stores the final reply; `sealed` ones hold a secret and are encrypted. */
  finish(claim: ClaimToken, reply: StoredReply, sealed: boolean): Promise<void>;
  /** Frees the key, so that the same request may try again. */
  release(claim: ClaimToken): Promise<void>;
}

/** Encrypts what has to be readable again (stored replies with secrets, webhook secrets); AES-256-GCM. */
export interface Sealer {
  seal(text: string): Promise<string>;
  open(sealed: string): Promise<string>;
}
