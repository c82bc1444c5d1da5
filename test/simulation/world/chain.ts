// The chains as the simulation has them: payments that were made, and who owns which name.
import type { MinedTransaction, TransactionHash } from '#domain/ports/payments.ts';
import type { Wallet } from '#domain/values/wallet.ts';

export interface Chain {
  readonly payments: Map<TransactionHash, MinedTransaction>;
  readonly names: Map<string, Wallet>;
  /** Blocks that the chain forgot. */
  readonly forgotten: Set<string>;
}

export const emptyChain = (): Chain => ({ payments: new Map(), names: new Map(), forgotten: new Set() });

let present: Chain = emptyChain();

/** The chain of the run that goes on. */
export const presentChain = (): Chain => present;

export const usePresentChain = (chain: Chain): void => {
  present = chain;
};
