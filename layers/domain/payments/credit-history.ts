// The last credit rows with the balance after each, read so that they fit: rows and balance are of one moment.
import type { Account } from '../identity/account.ts';
import { type StatementLine, statementOf } from '../ledger/statement.ts';
import type { LedgerStatements } from '../ports/ledger.ts';

/** Interface, "Limits" 5. */
export const CREDIT_HISTORY_ROWS = 50;
/** An account that spends without a pause is looked at this often before the last reading is taken as it is. */
const ROUNDS_MAX = 6;

/** The newest rows first. A credit that moved between the reads changes the number of rows, and both are read again. */
export const creditHistory = async (ports: { statements: LedgerStatements }, account: Account): Promise<StatementLine[]> => {
  const { wallet } = account;
  const readRows = async () => (await ports.statements.page({ wallet, asset: 'CREDIT', limit: CREDIT_HISTORY_ROWS })).rows;
  let before = (await ports.statements.accountAtRest(wallet)) ?? account;
  for (let round = 0; ; round += 1) {
    const rows = await readRows();
    const after = (await ports.statements.accountAtRest(wallet)) ?? before;
    if (after.creditRows === before.creditRows || round === ROUNDS_MAX) return statementOf(rows, before.credits);
    before = after;
  }
};
