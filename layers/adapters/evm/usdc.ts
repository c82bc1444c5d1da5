// Circle's USDC by chain. Payments are recognised by these contracts alone.
import type { PaymentChainId } from '#domain/ports/payments.ts';

/** Lower case. */
export const USDC_ADDRESSES: Readonly<Record<PaymentChainId, string>> = {
  8453: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  1: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  84532: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
};
