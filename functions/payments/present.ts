// How purchases read on the wire.
import type { Purchase } from '#domain/payments/buy.ts';
import { ethText, PRO_BENEFITS } from '#domain/payments/pricing.ts';
import { CHAIN_NAMES } from '#domain/payments/redeem.ts';

export const creditsBoughtBody = ({ payment, creditBalance }: Purchase) => ({
  success: true,
  purchased: Number(payment.credits),
  eth_spent: ethText(payment.amount),
  balance: Number(creditBalance),
  tx_hash: payment.hash,
  chain: CHAIN_NAMES[payment.chainId],
});

export const proBoughtBody = ({ payment, creditBalance }: Purchase) => ({
  success: true,
  tier: 'pro',
  eth_spent: ethText(payment.amount),
  benefits: [...PRO_BENEFITS],
  bonus_credits: Number(payment.credits),
  balance: Number(creditBalance),
  tx_hash: payment.hash,
  chain: CHAIN_NAMES[payment.chainId],
});
