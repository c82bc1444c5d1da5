// The order of rows within a second: as things happened, so that a statement repeats what the replies said.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { claimWave } from '#domain/airdrop/claim-wave.ts';
import { ok } from '#domain/errors.ts';
import type { Account } from '#domain/identity/account.ts';
import type { CreateAccountPorts } from '#domain/identity/create-account.ts';
import { claimMovement } from '#domain/ledger/daily-claim.ts';
import { signupGrants } from '#domain/ledger/grants.ts';
import { type Asset, type LedgerRow, type Movement, rowsOf } from '#domain/ledger/movements.ts';
import { settleStake, STAKE_LIFE_SECONDS, type StakeEnd, stakeMovement } from '#domain/ledger/stakes.ts';
import { statementOf } from '#domain/ledger/statement.ts';
import { settlePaidSend } from '#domain/mail/paid-send.ts';
import { creditRefund, spendId } from '#domain/mail/send-external.ts';
import { redeemChanges } from '#domain/payments/redeem.ts';
import type { Change } from '#domain/ports/changes.ts';
import type { RedeemedPayment } from '#domain/ports/payments.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { systemIds } from '#runtime/ids.ts';
import { ALICE, BOB, NOON } from './fixture.ts';

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

/** Does something at a millisecond after noon. */
const at = <T>(milliseconds: number, act: () => T): T => {
  vi.setSystemTime(NOON * 1000 + milliseconds);
  return act();
};

const movementsOf = (changes: readonly Change[]): Movement[] =>
  changes.flatMap((change) => (change.kind === 'movement' ? [change.movement] : []));

const statement = (wallet: Wallet, asset: Asset, movements: readonly Movement[]) => {
  const rows: LedgerRow[] = movements.flatMap(rowsOf).filter((row) => row.wallet === wallet && row.asset === asset);
  const balance = rows.reduce((sum, { amount }) => sum + amount, 0n);
  return statementOf(rows, balance).map(({ row, balanceAfter }) => [row.type, row.amount, balanceAfter]);
};

const purchase = (credits: bigint): Movement[] => {
  const payment: RedeemedPayment = {
    hash: `0x${credits.toString(16).padStart(64, '0')}`,
    wallet: ALICE,
    product: 'credits',
    chainId: 8453,
    blockNumber: 1n,
    blockHash: '0xblock',
    currency: 'ETH',
    to: BOB,
    amount: credits * 10n ** 12n,
    credits,
    attn: 0n,
    at: NOON,
    checks: 0,
    dueAt: NOON,
  };
  return movementsOf(redeemChanges(systemIds, payment));
};

const spend = (emailId: string): Movement => ({
  id: spendId(systemIds, emailId, NOON),
  asset: 'CREDIT',
  type: 'send_external',
  debit: ALICE,
  credit: 'fee',
  amount: 1n,
  at: NOON,
  reference: { emailId },
});

const paidCall = async (emailId: string): Promise<Movement[]> => {
  const mail = {
    emailId,
    from: 'a@x',
    to: 'b@y',
    subject: 's',
    attachmentCount: 0,
    external: { delivery: 'queued', creditsAfter: 0n },
  } as const;
  const charge = async () => ({ reference: '0xpaid', receipt: '', changes: [] });
  const send = { wallet: ALICE, account: { wallet: ALICE } as Account, now: NOON, charge };
  return movementsOf(await settlePaidSend({ ids: systemIds } as unknown as CreateAccountPorts, send, mail));
};

describe('credits within a second', () => {
  it('behavior: purchases stand as they were made, above the grant, with the balances that their replies told', () => {
    const grants = at(0, () => signupGrants(systemIds, ALICE, NOON));
    const purchases = [100n, 200n, 300n, 400n, 500n, 600n].flatMap((credits, index) => at(100 * (index + 1), () => purchase(credits)));

    expect(statement(ALICE, 'CREDIT', [...grants, ...purchases])).toStrictEqual([
      ['purchase', 600n, 2110n],
      ['purchase', 500n, 1510n],
      ['purchase', 400n, 1010n],
      ['purchase', 300n, 610n],
      ['purchase', 200n, 310n],
      ['purchase', 100n, 110n],
      ['signup_grant', 10n, 10n],
    ]);
  });

  it('behavior: a purchase that took longer than its second stands at the end of it', () => {
    const [slow] = at(1500, () => purchase(100n));
    const next = at(1501, () => systemIds.next(NOON + 1));

    expect(systemIds.derived(NOON, 'anything') < (slow?.id ?? '')).toBe(true);
    expect((slow?.id ?? '') < next).toBe(true);
  });

  it('behavior: a credit that comes back late stands at its moment, and the rows before keep the balances that were told', () => {
    const emailIds = [100, 200].map((milliseconds) => at(milliseconds, () => systemIds.next(NOON)));
    const late = creditRefund(systemIds, { wallet: ALICE, emailId: emailIds[0] ?? '', chargedAt: NOON }, NOON + 900);
    const bought = at(300, () => purchase(100n));
    const rows = [...at(0, () => signupGrants(systemIds, ALICE, NOON)), ...emailIds.map(spend), ...bought, ...movementsOf(late)];

    expect(statement(ALICE, 'CREDIT', rows)).toStrictEqual([
      ['refund', 1n, 109n],
      ['purchase', 100n, 108n],
      ['send_external', -1n, 8n],
      ['send_external', -1n, 9n],
      ['signup_grant', 10n, 10n],
    ]);
  });

  it('behavior: the credit of a paid call stands right below the row that takes it, above the sends before', async () => {
    const [first, paid] = [at(100, () => systemIds.next(NOON)), at(300, () => systemIds.next(NOON))];
    const bought = await at(400, () => paidCall(paid));
    const rows = [...at(0, () => signupGrants(systemIds, ALICE, NOON)), spend(first), spend(paid), ...bought];

    expect(statement(ALICE, 'CREDIT', rows)).toStrictEqual([
      ['send_external', -1n, 9n],
      ['purchase', 1n, 10n],
      ['send_external', -1n, 9n],
      ['signup_grant', 10n, 10n],
    ]);
  });
});

const stakeOn = (emailId: string): Movement => stakeMovement(systemIds, BOB, 10n, emailId, NOON);

const endOf = (emailId: string, end: StakeEnd, earned = 0n): readonly Movement[] => {
  const stake = { amount: 10n, status: 'pending', expiresAt: NOON + STAKE_LIFE_SECONDS, staker: BOB } as const;
  const earnings = { day: Math.floor(NOON / 86_400), earned };
  return settleStake({ ids: systemIds, emailId, recipient: ALICE, stake, end, earnings, now: NOON }).movements;
};

const airdrop = async (): Promise<Movement[]> => {
  const committed: Change[] = [];
  const committer = {
    commit: async (changes: readonly Change[]) => {
      committed.push(...changes);
      return ok(undefined);
    },
  };
  const activity = { received: 0, read: 0, replied: 0, sent: 7, staked: 0n };
  await claimWave(
    { committer, ids: systemIds },
    {
      account: { wallet: BOB, handle: 'bob', activity, registeredAt: NOON } as unknown as Account,
      wave: { id: 'w', name: 'W', badge: 'w', multiplierHalves: 2n, opensAt: 0, closesAt: undefined, amountMax: 5000n },
      hasClaimed: false,
      now: NOON,
      commitReply: async () => [],
    },
  );
  return movementsOf(committed);
};

describe('ATTN within a second', () => {
  it('behavior: a stake that ends at once ends above itself, though the clocks of the two ends differ', () => {
    for (let n = 0; n < 20; n += 1) {
      const emailId = at(500, () => systemIds.next(NOON));
      const movements = [stakeOn(emailId), ...at(499, () => endOf(emailId, 'read'))];

      expect(statement(BOB, 'ATTN', movements).map(([type]) => type)).toStrictEqual(['refund', 'stake']);
    }
  });

  it('behavior: stakes, ends, the claim and an airdrop stand as they happened', async () => {
    const grants = at(0, () => signupGrants(systemIds, BOB, NOON));
    const [first, second] = [at(100, () => systemIds.next(NOON)), at(200, () => systemIds.next(NOON))];
    const dropped = await at(400, airdrop);
    const movements = [
      ...grants,
      stakeOn(first),
      stakeOn(second),
      ...at(300, () => endOf(first, 'read')),
      ...dropped,
      at(500, () => claimMovement(systemIds, BOB, 10n, NOON)),
      ...at(600, () => endOf(second, 'rejected', 194n)),
    ];

    expect(statement(BOB, 'ATTN', movements)).toStrictEqual([
      ['refund', 4n, 61n],
      ['daily_claim', 10n, 57n],
      ['airdrop', 7n, 47n],
      ['refund', 10n, 40n],
      ['stake', -10n, 30n],
      ['stake', -10n, 40n],
      ['signup_grant', 50n, 50n],
    ]);
    expect(statement(ALICE, 'ATTN', movements)).toStrictEqual([['reject_income', 6n, 6n]]);
  });
});
