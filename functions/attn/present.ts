// How the ATTN ledger reads on the wire.
import type { ClaimResult } from '#domain/attn/claim-daily.ts';
import type { Account } from '#domain/identity/account.ts';
import { type ClaimRefusal, decideClaim, secondsToNextClaim } from '#domain/ledger/daily-claim.ts';
import { SIGNUP_ATTN } from '#domain/ledger/grants.ts';
import type { AttnMovementType, LedgerRow } from '#domain/ledger/movements.ts';
import {
  COLD_EMAIL_STAKE,
  DAILY_CLAIM,
  DAILY_EARN_CAP,
  earnedToday,
  RECEIVE_PRICE_MAX,
  RECEIVE_PRICE_MIN,
  REPLY_THREAD_STAKE,
} from '#domain/ledger/stakes.ts';
import { ATTN_PER_USDC } from '#domain/payments/pricing.ts';
import { secondsToNextDay } from '#domain/values/time.ts';

const CONSTANTS = {
  signup_grant: Number(SIGNUP_ATTN),
  daily_claim: Number(DAILY_CLAIM),
  daily_earn_cap: Number(DAILY_EARN_CAP),
  cold_email_stake: Number(COLD_EMAIL_STAKE),
  reply_thread_stake: Number(REPLY_THREAD_STAKE),
  receive_price_min: Number(RECEIVE_PRICE_MIN),
  receive_price_max: Number(RECEIVE_PRICE_MAX),
  usdc_rate: Number(ATTN_PER_USDC),
} as const;

export const balanceBody = (account: Account, now: number) => ({
  handle: account.handle,
  balance: Number(account.attn),
  daily_earned: Number(earnedToday(account.earnings, now)),
  daily_earn_cap: Number(DAILY_EARN_CAP),
  can_claim: decideClaim(account, now).pays,
  next_claim_in_seconds: secondsToNextClaim(account, now),
  constants: CONSTANTS,
});

const CLAIM_REFUSALS: Readonly<Record<ClaimRefusal, string>> = {
  claimed_today: 'Already claimed on this UTC day',
  cap_reached: 'The daily earn cap is reached',
};

export const claimBody = ({ amount, balance, reason }: ClaimResult, now: number) => ({
  claimed: reason === undefined,
  amount: Number(amount),
  balance: Number(balance),
  next_claim_in_seconds: secondsToNextDay(now),
  ...(reason !== undefined && { reason: CLAIM_REFUSALS[reason] }),
});

const NOTES: Readonly<Record<AttnMovementType, string>> = {
  signup_grant: 'Welcome grant',
  daily_claim: 'Daily claim',
  stake: 'Staked on a message you sent',
  refund: 'Stake given back',
  reject_income: 'Stake of a message you rejected',
  expiry_income: 'Stake of a message you left unread for 48 hours',
  purchase: 'Bought with USDC',
  reorg: 'taken back: the chain forgot the payment',
  airdrop: 'Airdrop',
};

export const attnTransaction = (row: LedgerRow) => ({
  id: row.id,
  amount: Number(row.amount),
  type: row.type,
  note: row.reference.note ?? NOTES[row.type as AttnMovementType] ?? null,
  counter_account: row.counterAccount,
  email_id: row.reference.emailId ?? null,
  created_at: row.at,
});

export const settingsBody = (receivePrice: bigint) => ({
  receive_price: Number(receivePrice),
  note: `A cold message to you stakes ${receivePrice} ATTN of its sender: back when you read it, yours when you reject it or leave it unread for 48 hours.`,
});

export const priceBody = (account: Account) => ({
  handle: account.handle,
  attn_enabled: true,
  cold_email_stake: Number(account.receivePrice),
  reply_thread_stake: Number(REPLY_THREAD_STAKE),
});
