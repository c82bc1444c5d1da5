// How an account's credits and tier read on the wire.
import type { Account } from '#domain/identity/account.ts';
import type { StatementLine } from '#domain/ledger/statement.ts';
import {
  CREDIT_PURCHASE_CREDITS_MIN,
  CREDIT_PURCHASE_WEI_MIN,
  CREDITS_PER_ETH,
  ethText,
  PRO_BENEFITS,
  PRO_PRICE_WEI,
} from '#domain/payments/pricing.ts';

/** Chains on which ETH is taken: Base and Ethereum. */
const ETH_CHAINS = [8453, 1];

export const creditsBody = (account: Account, depositAddress: string) => ({
  credits: Number(account.credits),
  pricing: {
    credits_per_eth: Number(CREDITS_PER_ETH),
    credits_per_email: 1,
    min_purchase_eth: ethText(CREDIT_PURCHASE_WEI_MIN),
    min_purchase_credits: Number(CREDIT_PURCHASE_CREDITS_MIN),
  },
  deposit_address: depositAddress,
});

export const creditTransaction = ({ row, balanceAfter }: StatementLine) => ({
  id: row.id,
  type: row.type,
  amount: Number(row.amount),
  balance_after: Number(balanceAfter),
  tx_hash: row.reference.txHash ?? null,
  chain: row.reference.chain ?? null,
  email_id: row.reference.emailId ?? null,
  created_at: row.at,
});

const upgradeBody = (baseUrl: string, depositAddress: string) => ({
  price_eth: ethText(PRO_PRICE_WEI),
  deposit_address: depositAddress,
  chains: ETH_CHAINS,
  how_to: `Send at least ${ethText(PRO_PRICE_WEI)} ETH from your wallet to ${depositAddress}, then POST ${baseUrl}/api/pro/buy with {"tx_hash": "0x..."}.`,
});

export const proStatusBody = (account: Account, baseUrl: string, depositAddress: string) => ({
  handle: account.handle,
  tier: account.tier,
  is_pro: account.tier === 'pro',
  benefits: [...PRO_BENEFITS],
  ...(account.tier !== 'pro' && { upgrade: upgradeBody(baseUrl, depositAddress) }),
});
