// What the airdrop asks of storage: who claimed what, and the largest claims of a wave.
import type { Wallet } from '../values/wallet.ts';

export interface WaveClaim {
  readonly waveId: string;
  readonly wallet: Wallet;
  /** The handle at the moment of the claim. */
  readonly handle: string;
  readonly amount: bigint;
  readonly at: number;
}

export interface WaveClaims {
  /** Ids of the waves that a wallet claimed. */
  claimedBy(wallet: Wallet): Promise<ReadonlySet<string>>;
  /** The largest claims of a wave; equal ones in the order in which they were made. */
  largest(waveId: string, limit: number): Promise<readonly WaveClaim[]>;
}
