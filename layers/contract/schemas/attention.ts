// Fields of the older USDC attention pricing: configuration, prices, QAF scores, bonds and the whitelist.
import * as z from 'zod';
import {
  cursorQuery,
  handleField,
  limitQuery,
  looseHandle,
  looseId,
  nextCursor,
  successField,
  unixSeconds,
  walletAddress,
} from './fields.ts';

export const RecipientParams = z.object({ handle: looseHandle('Handle of the recipient.') });
export const RecipientSenderParams = z.object({
  handle: looseHandle('Handle of the recipient.'),
  sender: looseHandle('Handle, name with .base.eth, or wallet of the sender.'),
});

const price = (description: string) => z.number().describe(`${description} USDC, rounded to 6 decimals.`);
const demand = () => z.int().describe('Messages the recipient received today and on the six UTC days before.');

export const GetAttentionPriceReply = z.looseObject({
  handle: handleField(),
  attention_bonds_enabled: z.boolean().describe('Whether the recipient has bonds switched on.'),
  base_price_usdc: price('The base price p0; 0 when bonds are off.'),
  current_price_usdc: price('p0 * (1 + alpha * demand) ^ beta; 0 when bonds are off.'),
  demand_7d: demand(),
  response_window_hours: z.number().describe('Hours in which a reply refunds the bond.'),
});

export const GetAttentionPriceForSenderReply = z.looseObject({
  handle: handleField(),
  sender: z.string().describe('The sender asked about.'),
  price_usdc: price('Recipient price * (1 - gamma * reply_rate), at least p0 * (1 - gamma); 0 for a whitelisted sender.'),
  reply_rate: z.number().describe('Replies divided by messages between the pair, 0 to 1.'),
  demand_7d: demand(),
  whitelisted: z.boolean().describe('Whether the sender is on the whitelist of the recipient.'),
});

const QafFields = {
  handle: handleField(),
  qaf_value: z.number().describe('(sum over senders of sqrt(bond)) squared.'),
};

export const GetAttentionQafReply = z.looseObject({
  ...QafFields,
  unique_senders: z.int().describe('Senders with an active or refunded bond.'),
  total_bonds_usdc: z.number().describe('Sum of their bonds in USDC.'),
  breadth_premium: z.number().describe('qaf_value / total_bonds_usdc; 0 without bonds.'),
});

export const GetAttentionCoqafReply = z.looseObject({
  ...QafFields,
  coqaf_value: z.number().describe('QAF over bonds discounted by overlap.'),
  discount_ratio: z.number().describe('coqaf_value / qaf_value; 1 without bonds.'),
  alpha_method: z.string().describe('`jaccard_recipient_overlap`.'),
  senders: z
    .array(
      z.looseObject({
        sender: z.string().describe('The sender.'),
        bond_usdc: z.number().describe('Sum of the bonds of this sender.'),
        sum_alpha: z.number().describe('Sum of the overlaps with the other senders.'),
        discounted_bond: z.number().describe('bond_usdc / (1 + sum_alpha).'),
        connections: z.int().describe('Number of other senders with an overlap above 0.'),
      }),
    )
    .describe('The senders, with the overlap of each.'),
});

export const AttentionConfig = z.looseObject({
  enabled: z.boolean().describe('Whether bonds are switched on; the only field when nothing was ever stored.'),
  base_price: z.number().optional().describe('p0 in USDC, 0.001 to 1000.'),
  alpha: z.number().optional().describe('Weight of demand, 0 to 10.'),
  beta: z.number().optional().describe('Exponent of demand, 0.1 to 5.'),
  gamma: z.number().optional().describe('Discount for reply rate, 0 to 0.99.'),
  response_window_hours: z.int().optional().describe('24 to 720.'),
});

export const UpdateAttentionConfigRequest = z.object({
  enabled: z.boolean().describe('Switch bonds on or off.'),
  base_price: z.number().min(0.001).max(1000).optional().describe('p0 in USDC; default on first write 0.01.'),
  alpha: z.number().min(0).max(10).optional().describe('Weight of demand; default on first write 0.1.'),
  beta: z.number().min(0.1).max(5).optional().describe('Exponent of demand; default on first write 1.'),
  gamma: z.number().min(0).max(0.99).optional().describe('Discount for reply rate; default on first write 0.5.'),
  response_window_hours: z.int().min(24).max(720).optional().describe('Hours in which a reply refunds a bond; default on first write 168.'),
});

/** The operation is retired, so nothing of what a caller sends is looked at. */
export const RecordAttentionBondRequest = z.object({});

export const RecordAttentionBondGone = z.looseObject({
  error: z.string().describe('That USDC bonds are retired.'),
  migration: z
    .looseObject({
      message: z.string().describe('What to use instead.'),
      balance: z.string().describe('Path of the ATTN balance.'),
      settings: z.string().describe('Path of the ATTN settings.'),
      buy_attn: z.string().describe('Path to buy ATTN.'),
      docs: z.string().describe('Path of the documentation.'),
    })
    .describe('The ATTN endpoints that replace bonds.'),
});

export const BondEmailParams = z.object({ email_id: looseId('Id of the message that carries the bond.') });

export const ResolveAttentionBondReply = z.looseObject({
  success: successField(),
  email_id: z.string().describe('The message.'),
  bond_status: z.string().describe('`refunded`.'),
  refunded_usdc: z.number().describe('USDC given back to the sender.'),
  fee_usdc: z.number().describe('Protocol fee withheld: 10 %.'),
});

export const WhitelistEntry = z.looseObject({
  sender_handle: z.string().nullable().describe('Handle of the sender, or null.'),
  sender_wallet: z.string().nullable().describe('Wallet of the sender, or null.'),
  note: z.string().nullable().describe('Your note, or null.'),
  created_at: unixSeconds('When the entry was made.'),
});

export const ListWhitelistReply = z.looseObject({
  handle: handleField(),
  whitelist: z.array(WhitelistEntry).describe('The entries.'),
});

export const AddWhitelistEntryRequest = z
  .object({
    sender_handle: z
      .string()
      .min(1)
      .max(255)
      .transform((text) => text.toLowerCase())
      .optional()
      .describe('Handle of the sender, or its name with .base.eth.'),
    sender_wallet: walletAddress().optional().describe('Wallet of the sender.'),
    note: z.string().max(500).optional().describe('A note for yourself.'),
  })
  .refine((entry) => entry.sender_handle !== undefined || entry.sender_wallet !== undefined, {
    error: 'sender_handle or sender_wallet is required',
  });

export const AddWhitelistEntryReply = z.looseObject({
  success: successField(),
  id: z.string().describe('Id of the entry.'),
});

export const WhitelistSenderParams = z.object({ sender: looseHandle('Handle or wallet of the sender.') });

export const AttentionBond = z.looseObject({
  email_id: z.string().describe('The message that carries the bond.'),
  direction: z.string().describe('`received` or `sent`.'),
  counterpart: z.string().describe('Handle or wallet of the other side.'),
  amount_usdc: z.number().describe('The bond in USDC.'),
  status: z.string().describe('`active`, `refunded` or `forfeited`.'),
  deadline: unixSeconds('Until when a reply refunds it.'),
  created_at: unixSeconds('When the bond was made.'),
});

export const ListMyBondsQuery = z.object({ limit: limitQuery(20, 100), cursor: cursorQuery() });
export const ListMyBondsReply = z.looseObject({
  handle: handleField(),
  bonds: z.array(AttentionBond).describe('Bonds received and sent, newest first.'),
  next_cursor: nextCursor(),
});

const BondTotals = z.looseObject({
  count: z.int().describe('Number of bonds.'),
  total_usdc: z.number().describe('Their sum in USDC.'),
  active: z.int().describe('How many are active.'),
  refunded: z.int().describe('How many were refunded.'),
  forfeited: z.int().describe('How many were forfeited.'),
});

export const GetAttentionStatsReply = z.looseObject({
  handle: handleField(),
  bonds_received: BondTotals.describe('Bonds on mail to you.'),
  bonds_sent: BondTotals.describe('Bonds on mail from you.'),
  qaf: GetAttentionQafReply.describe('Your QAF.'),
  email_activity: z
    .looseObject({
      received: z.int().describe('Messages received.'),
      sent: z.int().describe('Messages sent.'),
      received_7d: z.int().describe('Messages received today and on the six UTC days before.'),
    })
    .describe('Your mail, counted.'),
});
