// How the older USDC attention reads on the wire. Amounts are rounded here and nowhere before.
import { type Bond, type BondTotals, feeOf, totalsOf } from '#domain/attention/bonds.ts';
import type { AttentionConfig } from '#domain/attention/config.ts';
import { demandOf } from '#domain/attention/demand.ts';
import { usdcOf } from '#domain/attention/qaf.ts';
import type { Quote, SenderQuote } from '#domain/attention/quote.ts';
import { type CoQafReport, qafScoreOf, type QafScore } from '#domain/attention/scores.ts';
import type { Account } from '#domain/identity/account.ts';
import type { WhitelistEntry } from '#domain/ports/attention.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const SCALE = 1_000_000;

/** Rounds to 6 decimals, half up. */
const rounded = (value: number): number => Math.round(value * SCALE) / SCALE;

export const priceBody = ({ recipient, config, demand, price }: Quote) => ({
  handle: recipient.handle,
  attention_bonds_enabled: config.enabled,
  base_price_usdc: config.enabled ? rounded(config.basePrice) : 0,
  current_price_usdc: rounded(price),
  demand_7d: demand,
  response_window_hours: config.responseWindowHours,
});

export const senderPriceBody = (quote: SenderQuote, sender: string) => ({
  handle: quote.recipient.handle,
  sender,
  price_usdc: rounded(quote.price),
  reply_rate: rounded(quote.replyRate),
  demand_7d: quote.demand,
  whitelisted: quote.whitelisted,
});

export const configBody = (config: AttentionConfig | undefined) =>
  config
    ? {
        enabled: config.enabled,
        base_price: config.basePrice,
        alpha: config.alpha,
        beta: config.beta,
        gamma: config.gamma,
        response_window_hours: config.responseWindowHours,
      }
    : { enabled: false };

export const qafBody = (account: Account, { qaf, uniqueSenders, totalMicros }: QafScore) => ({
  handle: account.handle,
  qaf_value: rounded(qaf),
  unique_senders: uniqueSenders,
  total_bonds_usdc: usdcOf(totalMicros),
  breadth_premium: totalMicros === 0n ? 0 : rounded(qaf / usdcOf(totalMicros)),
});

export const coQafBody = ({ account, score, handles }: CoQafReport) => ({
  handle: account.handle,
  qaf_value: rounded(score.qaf),
  coqaf_value: rounded(score.coqaf),
  discount_ratio: rounded(score.discountRatio),
  alpha_method: 'jaccard_recipient_overlap',
  senders: score.senders.map((one) => ({
    sender: handles.get(one.sender) ?? one.sender,
    bond_usdc: one.bondUsdc,
    sum_alpha: rounded(one.sumAlpha),
    discounted_bond: rounded(one.discountedBond),
    connections: one.connections,
  })),
});

/** 410 of the retired operation: where to go instead (interface, "Attention, USDC"). */
export const migrationBody = {
  message: 'USDC attention bonds are retired. Mail between agents stakes ATTN by itself; set your price with the ATTN settings.',
  balance: 'GET /api/attn/balance',
  settings: 'PUT /api/attn/settings',
  buy_attn: 'POST /api/attn/buy',
  docs: 'GET /api/docs',
} as const;

export const refundedBody = ({ emailId, amountMicros }: Bond) => ({
  success: true,
  email_id: emailId,
  bond_status: 'refunded',
  refunded_usdc: usdcOf(amountMicros - feeOf(amountMicros)),
  fee_usdc: usdcOf(feeOf(amountMicros)),
});

export const whitelistEntryBody = (entry: WhitelistEntry) => ({
  id: entry.id,
  sender_handle: entry.handle,
  sender_wallet: entry.wallet,
  note: entry.note,
  created_at: entry.createdAt,
});

const isReceived = (bond: Bond, wallet: Wallet): boolean => bond.recipient === wallet;

export const bondBody = (bond: Bond, wallet: Wallet) => ({
  email_id: bond.emailId,
  direction: isReceived(bond, wallet) ? 'received' : 'sent',
  counterpart: isReceived(bond, wallet) ? bond.sender : bond.recipient,
  amount_usdc: usdcOf(bond.amountMicros),
  status: bond.status,
  deadline: bond.deadline,
  created_at: bond.createdAt,
});

const totalsBody = ({ count, totalMicros, byStatus }: BondTotals) => ({ count, total_usdc: usdcOf(totalMicros), ...byStatus });

export const statsBody = (account: Account, bonds: readonly Bond[], now: number) => ({
  handle: account.handle,
  bonds_received: totalsBody(totalsOf(bonds.filter((bond) => isReceived(bond, account.wallet)))),
  bonds_sent: totalsBody(totalsOf(bonds.filter((bond) => !isReceived(bond, account.wallet)))),
  qaf: qafBody(account, qafScoreOf(bonds, account.wallet)),
  email_activity: { received: account.activity.received, sent: account.activity.sent, received_7d: demandOf(account, now) },
});
