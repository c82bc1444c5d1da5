// The inbox by its USDC bonds: what still pays for an answer, by deadline, amount or time.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import type { MailPage } from '../ports/stores.ts';
import { type ListPorts, settleOverdue } from './list-mail.ts';
import type { MailBond, MailRow } from './mail.ts';

export type BondedSort = 'created_at' | 'bond_amount' | 'deadline';
export type SortOrder = 'asc' | 'desc';

export interface BondedRequest {
  readonly owner: Account;
  readonly sort: BondedSort;
  readonly order: SortOrder | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Positions in the list, as text; what a page gives as its `nextCursor`. */
  readonly cursor?: string;
  readonly now: number;
}

export interface BondedListing {
  readonly page: MailPage;
  readonly total: number;
  readonly owner: Account;
}

type Bonded = MailRow & { readonly bond: MailBond };

const POSITION = /^\d{1,9}$/;

const KEYS: Readonly<Record<BondedSort, (row: Bonded) => number | bigint>> = {
  created_at: (row) => row.createdAt,
  bond_amount: (row) => row.bond.amountMicros,
  deadline: (row) => row.bond.deadline,
};

const defaultOrder = (sort: BondedSort): SortOrder => (sort === 'deadline' ? 'asc' : 'desc');

const isBonded = (row: MailRow): row is Bonded => row.bond?.status === 'active';

/** Sorts by the key, ties by id, so that pages never overlap. */
const sorted = (rows: readonly MailRow[], sort: BondedSort, order: SortOrder): Bonded[] => {
  const key = KEYS[sort];
  const sign = order === 'asc' ? 1 : -1;
  return rows.filter(isBonded).sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left === right) return sign * (a.id < b.id ? -1 : 1);
    return sign * (left < right ? -1 : 1);
  });
};

/** Lists inbox mail with an active bond, one page of it. */
export const listBonded = async (ports: ListPorts, request: BondedRequest): Promise<Outcome<BondedListing>> => {
  const { sort, order, limit, cursor, now } = request;
  if (cursor !== undefined && !POSITION.test(cursor)) return fail('invalid_request', { message: 'cursor is not one of ours' });
  const owner = (await settleOverdue(ports, { owner: request.owner, now })) ?? request.owner;
  const rows = owner.mail.bonded === 0 ? [] : await ports.mailboxes.bonded({ owner: owner.wallet });
  const all = sorted(rows, sort, order ?? defaultOrder(sort));
  const start = cursor === undefined ? request.offset : Number(cursor);
  const end = start + limit;
  return ok({ page: { rows: all.slice(start, end), ...(end < all.length && { nextCursor: String(end) }) }, total: all.length, owner });
};
