// Statements: balances that fit their rows, in the order of the moments.
import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '#domain/ledger/movements.ts';
import { statementOf } from '#domain/ledger/statement.ts';
import { ALICE, NOON } from './fixture.ts';

const row = (id: string, amount: bigint, at: number): LedgerRow => ({
  wallet: ALICE,
  id,
  asset: 'CREDIT',
  type: 'purchase',
  amount,
  counterAccount: 'mint',
  at,
  reference: {},
});

describe('statementOf', () => {
  it('default: works back from the balance after the newest row', () => {
    const lines = statementOf([row('c', 100n, NOON + 2), row('b', -1n, NOON + 1), row('a', 10n, NOON)], 109n);

    expect(lines.map(({ row: { id }, balanceAfter }) => [id, balanceAfter])).toStrictEqual([
      ['c', 109n],
      ['b', 9n],
      ['a', 10n],
    ]);
  });

  it('behavior: stands in the order of its pages, by id, newest first, and leaves what it was given alone', () => {
    const given = [row('a', 1n, NOON), row('z', 2n, NOON), row('b', 4n, NOON + 5)];
    const lines = statementOf(given, 7n);

    expect(lines.map(({ row: { id } }) => id)).toStrictEqual(['z', 'b', 'a']);
    expect(statementOf([...given].reverse(), 7n)).toStrictEqual(lines);
    expect(given.map(({ id }) => id)).toStrictEqual(['a', 'z', 'b']);
  });

  it('default: no rows, no lines', () => {
    expect(statementOf([], 0n)).toStrictEqual([]);
  });
});
