// Stands in for adapters/evm/payment-chains.ts: the same port over the simulated chain.
import type { PaymentChains } from '#domain/ports/payments.ts';
import { presentChain } from './chain.ts';

export const createPaymentChains = (_clients: unknown): PaymentChains => ({
  find: async (hash, chainId) => {
    const found = presentChain().payments.get(hash);
    if (found?.chainId !== chainId) return 'unknown';
    return presentChain().forgotten.has(found.blockHash) ? 'unknown' : found;
  },
  standsAt: async (_chainId, _blockNumber, blockHash) => !presentChain().forgotten.has(blockHash),
});
