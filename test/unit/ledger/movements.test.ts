// Double entry: what a movement writes under whom.
import { describe, expect, it } from 'vitest';
import { signupGrants } from '#domain/ledger/grants.ts';
import { balanceChanges, type Movement, rowsOf } from '#domain/ledger/movements.ts';
import { ALICE, BOB, ids, NOON } from './fixture.ts';

const movement = (over: Partial<Movement> = {}): Movement => ({
  id: 'm1',
  asset: 'ATTN',
  type: 'refund',
  debit: 'escrow',
  credit: ALICE,
  amount: 3n,
  at: NOON,
  reference: { emailId: 'e1' },
  ...over,
});

describe('rowsOf', () => {
  it('default: a movement from a system account gives one row under its user', () => {
    expect(rowsOf(movement())).toStrictEqual([
      {
        wallet: ALICE,
        id: 'm1',
        asset: 'ATTN',
        type: 'refund',
        amount: 3n,
        counterAccount: 'escrow',
        at: NOON,
        reference: { emailId: 'e1' },
      },
    ]);
  });

  it('default: a movement to a system account is negative for its user', () => {
    const rows = rowsOf(movement({ debit: BOB, credit: 'escrow', type: 'stake' }));

    expect(rows.map(({ wallet, amount, counterAccount }) => [wallet, amount, counterAccount])).toStrictEqual([[BOB, -3n, 'escrow']]);
  });

  it('default: between users it gives two rows that sum to zero, each naming the other', () => {
    const rows = rowsOf(movement({ debit: BOB, credit: ALICE }));

    expect(rows.map(({ wallet, amount, counterAccount }) => [wallet, amount, counterAccount])).toStrictEqual([
      [BOB, -3n, ALICE],
      [ALICE, 3n, BOB],
    ]);
  });

  it.each([0n, -1n])('error: an amount of %s stops the program', (amount) => {
    expect(() => rowsOf(movement({ amount }))).toThrow(`invariant violated: a movement of ${amount}`);
  });

  it('error: a movement to itself stops the program', () => {
    expect(() => rowsOf(movement({ debit: ALICE }))).toThrow('a movement to itself');
  });
});

describe('balanceChanges', () => {
  it('default: sums by wallet and asset', () => {
    const changes = balanceChanges([
      movement(),
      movement({ id: 'm2', amount: 4n }),
      movement({ id: 'm3', asset: 'CREDIT', amount: 5n }),
      movement({ id: 'm4', debit: ALICE, credit: BOB, amount: 2n }),
    ]);

    expect(changes).toStrictEqual([
      { wallet: ALICE, asset: 'ATTN', amount: 5n },
      { wallet: ALICE, asset: 'CREDIT', amount: 5n },
      { wallet: BOB, asset: 'ATTN', amount: 2n },
    ]);
  });

  it('default: nothing moves nothing', () => {
    expect(balanceChanges([])).toStrictEqual([]);
  });
});

describe('signupGrants', () => {
  it('default: 10 credits and 50 ATTN from the mint, with ids of their own that follow from the wallet', () => {
    const grant = { type: 'signup_grant', debit: 'mint', credit: ALICE, at: NOON, reference: {} };

    expect(signupGrants(ids, ALICE, NOON)).toStrictEqual([
      { ...grant, id: `${NOON} signup ${ALICE} CREDIT`, asset: 'CREDIT', amount: 10n },
      { ...grant, id: `${NOON} signup ${ALICE} ATTN`, asset: 'ATTN', amount: 50n },
    ]);
  });
});
