// Looks at young payments again: a chain may reorganise and forget what it showed. What a forgotten payment gave is taken
// back, down to zero at worst, and its hash is free again should the transaction be mined once more.
import { type Outcome, ok } from '../errors.ts';
import type { Asset, Movement } from '../ledger/movements.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { FoundTransaction, PaymentChains, PaymentTerms, RedeemedPayment, RedeemedPayments } from '../ports/payments.ts';
import type { Accounts } from '../ports/stores.ts';
import { type Ids, lastIdAt } from '../values/id.ts';
import { stillPays } from './find-payment.ts';
import { CHAIN_NAMES, CHECKS_AFTER_SECONDS } from './redeem.ts';

const PAGE = 25;
/** A chain that does not answer, or a transaction that waits for its next block, is asked again this much later. */
const PATIENCE_SECONDS = 300;
/** Balances change while this decides; each round reads them afresh. */
const ROUNDS_MAX = 5;

export interface RecheckPorts {
  readonly redeemed: RedeemedPayments;
  readonly chains: PaymentChains;
  readonly terms: PaymentTerms;
  readonly accounts: Accounts;
  readonly committer: Committer;
  readonly ids: Ids;
}

const nextCheck = (payment: RedeemedPayment): RedeemedPayment => {
  const checks = payment.checks + 1;
  const after = CHECKS_AFTER_SECONDS[checks];
  return { ...payment, checks, dueAt: after === undefined ? undefined : payment.at + after };
};

const reversal = (ids: Ids, payment: RedeemedPayment, asset: Asset, amount: bigint, at: number): Change => {
  const movement: Movement = {
    // A payment may be taken back within its second: the statement shows that above the purchase all the same. It is taken
    // back once, because that revokes its record in the same transaction.
    id: ids.next(at, lastIdAt(payment.at * 1000 + 999)),
    asset,
    type: 'reorg',
    debit: payment.wallet,
    credit: 'mint',
    amount,
    at,
    reference: { txHash: payment.hash, chain: CHAIN_NAMES[payment.chainId], note: 'the chain took the payment back' },
  };
  return { kind: 'movement', movement };
};

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Takes back what is still there; a balance never goes below zero for it. */
const takeBack = async (ports: RecheckPorts, payment: RedeemedPayment, now: number): Promise<Outcome<void>> => {
  let outcome: Outcome<void> = ok(undefined);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const account = await ports.accounts.byWallet(payment.wallet, { strong: true });
    const credits = smaller(account?.credits ?? 0n, payment.credits);
    const attn = smaller(account?.attn ?? 0n, payment.attn);
    const changes: Change[] = [{ kind: 'payment.revoke', payment, at: now }];
    if (credits > 0n) changes.push(reversal(ports.ids, payment, 'CREDIT', credits, now));
    if (attn > 0n) changes.push(reversal(ports.ids, payment, 'ATTN', attn, now));
    if (payment.product === 'pro') changes.push({ kind: 'account.change', wallet: payment.wallet, set: { tier: 'free' } });
    outcome = await ports.committer.commit(changes);
    if (outcome.ok || outcome.code !== 'try_again') return outcome;
  }
  return outcome;
};

const isForgotten = (ports: RecheckPorts, payment: RedeemedPayment, found: FoundTransaction): boolean => {
  if (found === 'unknown') return true;
  if (typeof found === 'string') return false;
  const { hash, wallet, to, currency, amount, chainId } = payment;
  const wanted = { text: hash, wallet, to, currency, least: amount, chainIds: [chainId], isChainNamed: true, now: found.minedAt };
  return !stillPays(ports.terms, found, wanted);
};

/** Decides about one payment: it stands, it stands in another block, it is gone, or nobody can tell yet. */
const recheck = async (ports: RecheckPorts, payment: RedeemedPayment, now: number): Promise<Outcome<void>> => {
  const { chainId, blockNumber, blockHash, hash } = payment;
  const write = (after: RedeemedPayment) => ports.committer.commit([{ kind: 'payment.check', payment: after, before: payment }]);
  const stands = await ports.chains.standsAt(chainId, blockNumber, blockHash);
  if (stands === true) return write(nextCheck(payment));
  // A node that has not come as far as the block knows nothing of its transactions: silence is no proof of a loss.
  const found = stands === 'unavailable' ? 'unavailable' : await ports.chains.find(hash, chainId);
  if (found === 'unavailable' || found === 'pending') return write({ ...payment, dueAt: now + PATIENCE_SECONDS });
  if (isForgotten(ports, payment, found)) return takeBack(ports, payment, now);
  const moved = typeof found === 'string' ? payment : { ...payment, blockNumber: found.blockNumber, blockHash: found.blockHash };
  return write(nextCheck(moved));
};

/** Looks at everything that is due, page by page while `hasTime`; tells how many payments were looked at. */
export const recheckPayments = async (ports: RecheckPorts, now: number, hasTime: () => boolean): Promise<number> => {
  const seen = new Set<string>();
  while (hasTime()) {
    const due = (await ports.redeemed.due(now, PAGE)).filter(({ hash }) => !seen.has(hash));
    if (due.length === 0) break;
    for (const payment of due) {
      seen.add(payment.hash);
      // One that could not be decided stays due, and the next run takes it.
      await recheck(ports, payment, now);
    }
  }
  return seen.size;
};
