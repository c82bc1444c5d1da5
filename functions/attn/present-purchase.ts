// How a purchase of attention points reads on the wire.
import type { Purchase } from '#domain/payments/buy.ts';
import { ATTN_PER_USDC, usdcText } from '#domain/payments/pricing.ts';
import { CHAIN_NAMES } from '#domain/payments/redeem.ts';

export const boughtBody = ({ payment, attnBalance }: Purchase) => ({
  success: true,
  usdc_spent: usdcText(payment.amount),
  attn_received: Number(payment.attn),
  rate: Number(ATTN_PER_USDC),
  balance: Number(attnBalance),
  tx_hash: payment.hash,
  chain: CHAIN_NAMES[payment.chainId],
});
