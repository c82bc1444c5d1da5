// What the domain asks of the ledger's store besides committing movements: rows and statements.
import type { Account } from '../identity/account.ts';
import type { Asset, LedgerRow } from '../ledger/movements.ts';
import type { Wallet } from '../values/wallet.ts';

export interface LedgerPage {
  /** Newest first, which is by descending id (see ledger/statement.ts). */
  readonly rows: readonly LedgerRow[];
  /** The id of the last row, below which the next page begins whatever is written meanwhile; absent at the end. */
  readonly nextCursor?: string;
}

export interface LedgerStatements {
  /** One row by its movement's id, strongly read. */
  row(wallet: Wallet, asset: Asset, id: string): Promise<LedgerRow | undefined>;
  /** A page below a cursor; throws `invalid_request` for one that no page gave. */
  page(request: { readonly wallet: Wallet; readonly asset: Asset; readonly limit: number; readonly cursor?: string }): Promise<LedgerPage>;
  /** The account while no transaction is under way on it; a plain read may see one half of a transaction and not the other. */
  accountAtRest(wallet: Wallet): Promise<Account | undefined>;
}
