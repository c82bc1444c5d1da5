// Fields of the ATTN ledger: balance, claim, history, settings, purchase and stake price.
import * as z from 'zod';
import {
  cursorQuery,
  handleField,
  limitQuery,
  looseHandle,
  nextCursor,
  successField,
  transactionHash,
  unitsText,
  unixSeconds,
} from './fields.ts';

export const AttnConstants = z.looseObject({
  signup_grant: z.int().describe('ATTN of a new account.'),
  daily_claim: z.int().describe('ATTN of a daily claim.'),
  daily_earn_cap: z.int().describe('Most ATTN earned in a UTC day by claim, reject and expiry.'),
  cold_email_stake: z.int().describe('Default stake of a cold mail.'),
  reply_thread_stake: z.int().describe('Stake of a reply in a thread the recipient began.'),
  receive_price_min: z.int().describe('Smallest receive price.'),
  receive_price_max: z.int().describe('Largest receive price.'),
  usdc_rate: z.int().describe('ATTN for 1 USDC.'),
});

export const GetAttnBalanceReply = z.looseObject({
  handle: handleField(),
  balance: z.int().describe('ATTN of the account.'),
  daily_earned: z.int().describe('ATTN earned in this UTC day, counted against the cap.'),
  daily_earn_cap: z.int().describe('Most ATTN earned in a UTC day.'),
  can_claim: z.boolean().describe('Whether the daily claim is open now.'),
  next_claim_in_seconds: z.int().describe('Seconds until the next claim; 0 when it is open.'),
  constants: AttnConstants.describe('The figures that the ledger works with.'),
});

export const ClaimAttnReply = z.looseObject({
  claimed: z.boolean().describe('Whether this call paid out.'),
  amount: z.int().describe('ATTN paid out; less than the full claim when the cap leaves less.'),
  balance: z.int().describe('ATTN after the call.'),
  next_claim_in_seconds: z.int().describe('Seconds until the next claim.'),
  reason: z.string().optional().describe('When `claimed` is false: already claimed today, or the cap is reached.'),
});

export const AttnTransaction = z.looseObject({
  id: z.string().describe('Id of the row.'),
  amount: z.int().describe('ATTN, signed; the sum of all rows is the balance.'),
  type: z.string().describe('`signup_grant`, `daily_claim`, `stake`, `refund`, `reject_income`, `expiry_income`, `purchase` or `airdrop`.'),
  note: z.string().nullable().describe('What the movement was for, in words.'),
  counter_account: z.string().optional().describe('The other side of the movement: a wallet, or `mint`, `fee` or `escrow`.'),
  email_id: z.string().nullable().optional().describe('The message behind the movement, or null.'),
  created_at: unixSeconds('When the row was made.'),
});

export const ListAttnHistoryQuery = z.object({ limit: limitQuery(20, 100), cursor: cursorQuery() });
export const ListAttnHistoryReply = z.looseObject({
  transactions: z.array(AttnTransaction).describe('Movements, newest first.'),
  next_cursor: nextCursor(),
});

export const AttnSettingsReply = z.looseObject({
  receive_price: z.int().describe('ATTN that a cold mail to you stakes, 1 to 10.'),
  note: z.string().describe('What the setting does, in words.'),
});

export const UpdateAttnSettingsRequest = z.object({
  receive_price: z.int().min(1).max(10).describe('ATTN that a cold mail to you stakes.'),
});

export const BuyAttnRequest = z.object({
  tx_hash: transactionHash(),
  amount_usdc: z
    .number()
    .positive()
    .max(1_000_000_000)
    .describe('USDC you sent, read to the nearest millionth; less on chain is 400, and so is less than 0.01.'),
});

export const BuyAttnReply = z.looseObject({
  success: successField(),
  usdc_spent: unitsText('USDC that the chain shows, as a decimal string.'),
  attn_received: z.int().describe('ATTN bought.'),
  rate: z.int().describe('ATTN for 1 USDC.'),
  balance: z.int().describe('ATTN after the purchase.'),
  tx_hash: z.string().describe('The redeemed transaction hash, lower-case.'),
});

export const AttnPriceParams = z.object({ handle: looseHandle('Handle of the recipient.') });
export const GetAttnPriceReply = z.looseObject({
  handle: handleField(),
  attn_enabled: z.boolean().describe('Whether mail to this recipient stakes ATTN.'),
  cold_email_stake: z.int().describe('Stake of a cold mail: the receive price of the recipient.'),
  reply_thread_stake: z.int().describe('Stake of a reply in a thread the recipient began.'),
});
