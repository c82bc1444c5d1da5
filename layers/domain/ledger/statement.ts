// Statements: the rows of an account with the balance after each. Balances are not stored on rows, because a row that
// knows its balance could only be written by one transaction at a time; they follow from today's balance backwards.
// Rows have one order, that of their ids: pages are read in it (ports/ledger.ts) and statements stand in it. An id bears the
// millisecond of its movement within the second `at`, and sorts after the id of what it follows from (values/id.ts).
import type { LedgerRow } from './movements.ts';

export interface StatementLine {
  readonly row: LedgerRow;
  readonly balanceAfter: bigint;
}

const newestFirst = (a: LedgerRow, b: LedgerRow): number => (a.id < b.id ? 1 : -1);

/** Puts rows in their order, newest first, and works the balance back from the one after the newest. */
export const statementOf = (rows: readonly LedgerRow[], balance: bigint): StatementLine[] => {
  let balanceAfter = balance;
  return [...rows].sort(newestFirst).map((row) => {
    const line = { row, balanceAfter };
    balanceAfter -= row.amount;
    return line;
  });
};
