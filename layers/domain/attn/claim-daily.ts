// Claiming the daily ATTN. Claims, rejects and expiries of one account race for the same cap; the loser decides again.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { claimMovement, type ClaimRefusal, decideClaim } from '../ledger/daily-claim.ts';
import { earningTime } from '../ledger/stakes.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Accounts } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import { dayOf } from '../values/time.ts';

const ROUNDS_MAX = 8;

export interface ClaimPorts {
  readonly accounts: Accounts;
  readonly committer: Committer;
  readonly ids: Ids;
}

/** What a claim came to; `reason` is there when nothing was paid. */
export interface ClaimResult {
  readonly amount: bigint;
  readonly balance: bigint;
  readonly reason?: ClaimRefusal;
}

const claimChanges = (ids: Ids, { wallet, earnings }: Account, amount: bigint, now: number): Change[] => [
  { kind: 'movement', movement: claimMovement(ids, wallet, amount, now) },
  { kind: 'account.change', wallet, set: { lastClaimDay: dayOf(now) }, earn: { day: dayOf(now), before: earnings, amount } },
];

/** Pays the claim of this UTC day, once. */
export const claimDaily = async (
  ports: ClaimPorts,
  request: { account: Account; now: number; commitReply: (result: ClaimResult) => Promise<Change[]> },
): Promise<Outcome<ClaimResult>> => {
  let account = request.account;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const now = earningTime(account.earnings, request.now);
    const decision = decideClaim(account, now);
    if (!decision.pays) return ok({ amount: 0n, balance: account.attn, reason: decision.reason });
    const result = { amount: decision.amount, balance: account.attn + decision.amount };
    const changes = claimChanges(ports.ids, account, decision.amount, now);
    const committed = await ports.committer.commit([...changes, ...(await request.commitReply(result))]);
    if (committed.ok) return ok(result);
    if (committed.code !== 'try_again') return committed;
    account = (await ports.accounts.byWallet(account.wallet, { strong: true })) ?? account;
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};
