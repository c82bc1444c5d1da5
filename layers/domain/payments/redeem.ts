// Turns a payment that was found into the record and the movements of its product. The hash is used up in the same
// transaction that gives what it bought, so nothing can be bought twice.
import type { Asset, CreditMovementType, Movement } from '../ledger/movements.ts';
import type { Change } from '../ports/changes.ts';
import type { PaymentChainId, PaymentProduct, RedeemedPayment } from '../ports/payments.ts';
import type { Ids } from '../values/id.ts';

import type { Payment, PaymentWanted } from './find-payment.ts';

/** Names of the chains in replies and ledger rows. */
export const CHAIN_NAMES: Readonly<Record<PaymentChainId, string>> = { 8453: 'base', 1: 'ethereum', 84532: 'base-sepolia' };

/** Chains on which ETH is taken. */
export const ETH_CHAIN_IDS: readonly PaymentChainId[] = [8453, 1];

/**
 * Seconds after the purchase at which its block is looked at again. A chain may take back what is young; a day later
 * nothing can.
 */
export const CHECKS_AFTER_SECONDS: readonly number[] = [0, 600, 3600, 86_400];

export interface Bought {
  readonly product: PaymentProduct;
  readonly credits: bigint;
  readonly attn: bigint;
}

export const redeemedPayment = (payment: Payment, wanted: PaymentWanted, bought: Bought): RedeemedPayment => ({
  hash: payment.hash,
  wallet: wanted.wallet,
  ...bought,
  chainId: payment.transaction.chainId,
  blockNumber: payment.transaction.blockNumber,
  blockHash: payment.transaction.blockHash,
  currency: wanted.currency,
  to: wanted.to,
  amount: payment.amount,
  at: wanted.now,
  checks: 0,
  // Money that went to somebody else's wallet cannot be taken back here.
  dueAt: bought.product === 'mail' ? undefined : wanted.now + (CHECKS_AFTER_SECONDS[0] ?? 0),
});

const movementOf = (
  ids: Ids,
  payment: RedeemedPayment,
  asset: Asset,
  type: CreditMovementType & Movement['type'],
  amount: bigint,
): Movement => ({
  // Stands at its moment: that no hash buys twice is the condition on its record, in the same transaction. One that was
  // taken back and mined again is a purchase of its own.
  id: ids.next(payment.at),
  asset,
  type,
  debit: 'mint',
  credit: payment.wallet,
  amount,
  at: payment.at,
  reference: { txHash: payment.hash, chain: CHAIN_NAMES[payment.chainId] },
});

/** Everything a payment does: uses its hash up and moves what it bought. */
export const redeemChanges = (ids: Ids, payment: RedeemedPayment): Change[] => {
  const creditType = payment.product === 'pro' ? 'pro_bonus' : 'purchase';
  const movements: Movement[] = [];
  if (payment.credits > 0n) movements.push(movementOf(ids, payment, 'CREDIT', creditType, payment.credits));
  if (payment.attn > 0n) movements.push(movementOf(ids, payment, 'ATTN', 'purchase', payment.attn));
  const tier: Change[] = payment.product === 'pro' ? [{ kind: 'account.change', wallet: payment.wallet, set: { tier: 'pro' } }] : [];
  return [{ kind: 'payment.redeem', payment }, ...movements.map((movement): Change => ({ kind: 'movement', movement })), ...tier];
};
