// Fields of credits and the Pro tier.
import * as z from 'zod';
import { handleField, successField, tierField, transactionHash, unitsText, unixSeconds } from './fields.ts';

const chainField = () => z.string().describe('Chain of the payment: `base` or `ethereum`.');
const transactionHashField = () => z.string().describe('The redeemed transaction hash, lower-case.');

export const GetCreditsReply = z.looseObject({
  credits: z.int().describe('Credits left; 1 credit sends 1 external message.'),
  pricing: z
    .looseObject({
      credits_per_eth: z.int().describe('Credits for 1 ETH.'),
      credits_per_email: z.int().describe('Credits for one external message.'),
      min_purchase_eth: unitsText('Smallest purchase in ETH, as a decimal string.'),
      min_purchase_credits: z.int().describe('Credits of the smallest purchase.'),
    })
    .describe('What credits cost.'),
  deposit_address: z.string().describe('Send ETH to this address, on chain 8453 or on Ethereum mainnet.'),
});

const ethChain = () =>
  z
    .union([z.literal(8453), z.literal(1)], { error: 'must be 8453 or 1' })
    .optional()
    .describe('Chain to look on; without it both are looked at, and a transaction that names no chain itself (before EIP-155) is refused.');

export const BuyCreditsRequest = z.object({ tx_hash: transactionHash(), chain_id: ethChain() });

export const BuyCreditsReply = z.looseObject({
  success: successField(),
  purchased: z.int().describe('Credits bought.'),
  eth_spent: unitsText('ETH received, as a decimal string.'),
  balance: z.int().describe('Credits after the purchase.'),
  tx_hash: transactionHashField(),
  chain: chainField(),
});

export const CreditTransaction = z.looseObject({
  id: z.string().describe('Id of the row.'),
  type: z
    .string()
    .describe('`purchase`, `send_external`, `refund`, `pro_bonus`, `signup_grant`, or `reorg` when a chain took a payment back.'),
  amount: z.int().describe('Credits, signed; the sum of all rows is the balance.'),
  balance_after: z.int().describe('Credits after the row.'),
  tx_hash: z.string().nullable().describe('The payment behind the row, or null.'),
  chain: z.string().nullable().describe('Chain of the payment, `base` or `ethereum`, or null.'),
  email_id: z.string().nullable().optional().describe('The message behind the row, or null.'),
  created_at: unixSeconds('When the row was made.'),
});

export const ListCreditHistoryReply = z.looseObject({
  transactions: z.array(CreditTransaction).describe('The last 50 rows, newest first.'),
});

const Benefits = () => z.array(z.string()).describe('What Pro brings.');

export const GetProStatusReply = z.looseObject({
  handle: handleField(),
  tier: tierField(),
  is_pro: z.boolean().describe('Whether the account is Pro.'),
  benefits: Benefits(),
  upgrade: z
    .looseObject({
      price_eth: unitsText('Price in ETH, as a decimal string.'),
      deposit_address: z.string().describe('Send the ETH to this address.'),
      chains: z.array(z.int()).describe('Chain ids on which it is taken.'),
      how_to: z.string().describe('What to do, in words.'),
    })
    .optional()
    .describe('How to become Pro; absent when the account is Pro.'),
});

export const BuyProRequest = z.object({ tx_hash: transactionHash(), chain_id: ethChain() });

export const BuyProReply = z.looseObject({
  success: successField(),
  tier: z.string().describe('`pro`.'),
  eth_spent: unitsText('ETH received, as a decimal string.'),
  benefits: Benefits(),
  bonus_credits: z.int().describe('Credits for what was paid above the price.'),
  tx_hash: transactionHashField(),
  chain: chainField(),
});
