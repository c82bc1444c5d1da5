// Young payments looked at again, as a decision: what stays, what waits, and how much is taken back.
import { describe, expect, it } from 'vitest';
import { ok } from '#domain/errors.ts';
import { type LedgerRow, rowsOf } from '#domain/ledger/movements.ts';
import { statementOf } from '#domain/ledger/statement.ts';
import { type RecheckPorts, recheckPayments } from '#domain/payments/recheck-payments.ts';
import { redeemChanges } from '#domain/payments/redeem.ts';
import type { Change } from '#domain/ports/changes.ts';
import type { FoundTransaction, MinedTransaction, RedeemedPayment } from '#domain/ports/payments.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { systemIds } from '#runtime/ids.ts';

const NOW = 1_800_000_000;
const OWN: Wallet = `0x${'a'.repeat(40)}`;
const DEPOSIT: Wallet = `0x${'d'.repeat(40)}`;

const payment: RedeemedPayment = {
  hash: `0x${'1'.repeat(64)}`,
  wallet: OWN,
  product: 'credits',
  chainId: 8453,
  blockNumber: 100n,
  blockHash: '0xold',
  currency: 'ETH',
  to: DEPOSIT,
  amount: 10n ** 15n,
  credits: 1000n,
  attn: 0n,
  at: NOW,
  checks: 0,
  dueAt: NOW,
};

const moved: MinedTransaction = {
  chainId: 8453,
  from: OWN,
  to: DEPOSIT,
  wei: 10n ** 15n,
  hasSucceeded: true,
  callsContract: false,
  isBoundToChain: true,
  usdc: [],
  blockNumber: 103n,
  blockHash: '0xnew',
  minedAt: NOW,
  confirmations: 1n,
};

interface World {
  readonly stands: boolean | 'unavailable';
  readonly found?: FoundTransaction;
  readonly credits?: bigint;
  readonly payment?: RedeemedPayment;
  readonly now?: number;
}

const look = async (world: World): Promise<readonly Change[]> => {
  const committed: Change[] = [];
  let isListed = false;
  const due = async () => {
    const listed = isListed ? [] : [world.payment ?? payment];
    isListed = true;
    return listed;
  };
  const ports = {
    redeemed: { isRedeemed: async () => true, due },
    chains: { find: async () => world.found ?? 'unknown', standsAt: async () => world.stands },
    terms: { depositAddress: DEPOSIT, bindsPayer: true, confirmations: { 8453: 2, 1: 3, 84532: 1 } },
    accounts: { byWallet: async () => ({ credits: world.credits ?? 5000n, attn: 0n }) },
    committer: {
      commit: async (changes: readonly Change[]) => {
        committed.push(...changes);
        return ok(undefined);
      },
    },
    ids: systemIds,
  } as unknown as RecheckPorts;
  expect(await recheckPayments(ports, world.now ?? NOW + 10, () => true)).toBe(1);
  return committed;
};

const rowsMoved = (change: Change): LedgerRow[] => (change.kind === 'movement' ? rowsOf(change.movement) : []);

describe('a payment that is looked at again', () => {
  it('default: stands, and is looked at later; after the last look never again', async () => {
    const [first] = await look({ stands: true });
    const [last] = await look({ stands: true, payment: { ...payment, checks: 3 } });

    expect(first).toMatchObject({ kind: 'payment.check', payment: { checks: 1, dueAt: NOW + 600 } });
    expect(last).toMatchObject({ kind: 'payment.check', payment: { checks: 4, dueAt: undefined } });
  });

  it('behavior: in another block it is followed there', async () => {
    const changes = await look({ stands: false, found: moved });

    expect(changes).toMatchObject([
      { kind: 'payment.check', payment: { blockHash: '0xnew', blockNumber: 103n }, before: { blockHash: '0xold' } },
    ]);
  });

  it.each([
    ['unavailable', 'unknown'],
    [false, 'unavailable'],
    [false, 'pending'],
  ] as const)('behavior: stands %s and is %s: nothing is decided yet', async (stands, found) => {
    const changes = await look({ stands, found });

    expect(changes).toMatchObject([{ kind: 'payment.check', payment: { checks: 0, dueAt: NOW + 310 } }]);
  });

  it('behavior: gone, it takes back what it gave, and no more than is there', async () => {
    const all = await look({ stands: false });
    const rest = await look({ stands: false, credits: 40n });
    const nothing = await look({ stands: false, credits: 0n });

    expect(all).toMatchObject([
      { kind: 'payment.revoke' },
      { kind: 'movement', movement: { type: 'reorg', debit: OWN, credit: 'mint', amount: 1000n } },
    ]);
    expect(rest).toMatchObject([{ kind: 'payment.revoke' }, { kind: 'movement', movement: { amount: 40n } }]);
    expect(nothing).toMatchObject([{ kind: 'payment.revoke' }]);
    expect(nothing).toHaveLength(1);
  });

  it('behavior: taken back within the second of its purchase, the statement shows it above the purchase', async () => {
    const changes = [...redeemChanges(systemIds, payment), ...(await look({ stands: false, now: NOW }))];
    const lines = statementOf(changes.flatMap(rowsMoved), 10n);

    expect(lines.map(({ row, balanceAfter }) => [row.type, balanceAfter])).toEqual([
      ['reorg', 10n],
      ['purchase', 1010n],
    ]);
  });

  it('behavior: mined again but failed is gone as well, and Pro is taken back with it', async () => {
    const changes = await look({ stands: false, found: { ...moved, hasSucceeded: false }, payment: { ...payment, product: 'pro' } });

    expect(changes.map(({ kind }) => kind)).toEqual(['payment.revoke', 'movement', 'account.change']);
    expect(changes[2]).toMatchObject({ set: { tier: 'free' } });
  });
});
