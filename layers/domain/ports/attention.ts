// What the older USDC attention asks of storage: pricing, bonds, how often a pair answers each other, and whitelists.
import type { Bond } from '../attention/bonds.ts';
import type { AttentionConfig } from '../attention/config.ts';
import type { Wallet } from '../values/wallet.ts';

/** Mail from one sender to one recipient, and how much of it was answered. */
export interface PairCounts {
  readonly sent: number;
  readonly replied: number;
}

export interface WhitelistEntry {
  readonly id: string;
  readonly wallet: Wallet;
  /** The handle it was named by; null when it was named by its wallet alone. */
  readonly handle: string | null;
  readonly note: string | null;
  readonly createdAt: number;
}

export interface AttentionConfigs {
  /** Undefined when an account never stored one. */
  of(wallet: Wallet): Promise<AttentionConfig | undefined>;
}

export interface Pairs {
  between(recipient: Wallet, sender: Wallet): Promise<PairCounts>;
}

export interface Whitelist {
  list(owner: Wallet): Promise<readonly WhitelistEntry[]>;
}

export interface BondPage {
  /** Newest first. */
  readonly bonds: readonly Bond[];
  readonly nextCursor?: string;
}

export interface Bonds {
  /** The bond on a message, as its recipient has it. */
  find(recipient: Wallet, emailId: string): Promise<Bond | undefined>;
  /** Bonds on mail to and from a wallet. */
  page(request: { readonly wallet: Wallet; readonly limit: number; readonly cursor?: string }): Promise<BondPage>;
  /** All of them; legacy bonds are not made any more, so they only grow fewer. */
  all(wallet: Wallet): Promise<readonly Bond[]>;
  /** Bonds that were active when the index was written and whose deadline is over. */
  duePages(now: number): AsyncIterable<readonly Bond[]>;
}
