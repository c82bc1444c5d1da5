// Statements: the rows of an account with the balance after each. Balances are not stored on rows, because a row that
// knows its balance could only be written by one transaction at a time; they follow from today's balance backwards.
import type { LedgerRow } from './movements.ts';

export interface StatementLine {
  readonly row: LedgerRow;
  readonly balanceAfter: bigint;
}

const newestFirst = (a: LedgerRow, b: LedgerRow): number => b.at - a.at || (a.id < b.id ? 1 : -1);

/** Puts rows in the order of their moments, newest first, and works the balance back from the one after the newest. */
export const statementOf = (rows: readonly LedgerRow[], balance: bigint): StatementLine[] => {
  let balanceAfter = balance;
  return [...rows].sort(newestFirst).map((row) => {
    const line = { row, balanceAfter };
    balanceAfter -= row.amount;
    return line;
  });
};
