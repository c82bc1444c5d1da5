// The double-entry ledger as pure decisions: every movement names one debit and one credit account, and the rows that a
// user sees follow from it. Nothing is stored here; a store writes rows and balances in the transaction of their cause.
import { invariant } from '../errors.ts';
import type { Wallet } from '../values/wallet.ts';

export type Asset = 'ATTN' | 'CREDIT';

/** Accounts that no user owns. They have no balance item, so that nothing global is written in a transaction. */
export type SystemAccount = 'mint' | 'fee' | 'escrow';
export type LedgerAccount = Wallet | SystemAccount;

export type AttnMovementType =
  | 'signup_grant'
  | 'daily_claim'
  | 'stake'
  | 'refund'
  | 'reject_income'
  | 'expiry_income'
  | 'purchase'
  | 'airdrop'
  | 'reorg';
export type CreditMovementType = 'signup_grant' | 'send_external' | 'refund' | 'purchase' | 'pro_bonus' | 'reorg';
export type MovementType = AttnMovementType | CreditMovementType;

/** What a movement refers to, kept on its rows. */
export interface MovementReference {
  readonly emailId?: string;
  readonly txHash?: string;
  readonly chain?: string;
  readonly note?: string;
}

/** One transfer of `amount` (smallest unit, above zero) from `debit` to `credit`. Movements are never changed or deleted. */
export interface Movement {
  /** Sorts by time; together with the wallet and asset it names the row, so a repeated movement is refused. */
  readonly id: string;
  readonly asset: Asset;
  readonly type: MovementType;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amount: bigint;
  readonly at: number;
  readonly reference: MovementReference;
}

/** A line of one user's statement: positive when the account received. */
export interface LedgerRow {
  readonly wallet: Wallet;
  readonly id: string;
  readonly asset: Asset;
  readonly type: MovementType;
  readonly amount: bigint;
  readonly counterAccount: LedgerAccount;
  readonly at: number;
  readonly reference: MovementReference;
}

const isUser = (account: LedgerAccount): account is Wallet => account.startsWith('0x');

const checked = (movement: Movement): Movement => {
  invariant(movement.amount > 0n, `a movement of ${movement.amount}`);
  invariant(movement.debit !== movement.credit, 'a movement to itself');
  return movement;
};

const rowFor = (movement: Movement, wallet: Wallet, amount: bigint, counterAccount: LedgerAccount): LedgerRow => ({
  wallet,
  id: movement.id,
  asset: movement.asset,
  type: movement.type,
  amount,
  counterAccount,
  at: movement.at,
  reference: movement.reference,
});

/** The rows of one movement: one under each user account it touches. */
export const rowsOf = (movement: Movement): LedgerRow[] => {
  const { debit, credit, amount } = checked(movement);
  const rows: LedgerRow[] = [];
  if (isUser(debit)) rows.push(rowFor(movement, debit, -amount, credit));
  if (isUser(credit)) rows.push(rowFor(movement, credit, amount, debit));
  return rows;
};

/** A change of one user's balance; `amount` is signed. */
export interface BalanceChange {
  readonly wallet: Wallet;
  readonly asset: Asset;
  readonly amount: bigint;
}

/** What a set of movements does to user balances, one entry for each wallet and asset. */
export const balanceChanges = (movements: readonly Movement[]): BalanceChange[] => {
  const sums = new Map<string, BalanceChange>();
  for (const row of movements.flatMap(rowsOf)) {
    const key = `${row.wallet} ${row.asset}`;
    const amount = (sums.get(key)?.amount ?? 0n) + row.amount;
    sums.set(key, { wallet: row.wallet, asset: row.asset, amount });
  }
  return [...sums.values()];
};
