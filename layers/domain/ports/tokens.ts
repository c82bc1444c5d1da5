// Session tokens: signed, short-lived, and trusted for the wallet alone; the handle in them is for the client to read.
import type { Wallet } from '../values/wallet.ts';

export const TOKEN_LIFE_SECONDS = 24 * 3600;
export const REFRESH_LIFE_SECONDS = 60 * 86_400;

export interface Tokens {
  /** Signs a token for 24 hours; throws `misconfigured` when the signing secret is missing. */
  issue(claims: { readonly wallet: Wallet; readonly handle: string; readonly issuer: string; readonly now: number }): Promise<string>;
  /** The wallet of a valid token; undefined for any other text. */
  walletOf(token: string, now: number): Promise<Wallet | undefined>;
}
