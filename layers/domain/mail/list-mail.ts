// Listing a folder. The inbox settles what has expired before it answers, so that nobody is shown a dead stake.
import type { Account } from '../identity/account.ts';
import type { MailPage } from '../ports/stores.ts';
import { type ExpirePorts, expireStake, isExpired } from './expire-stakes.ts';
import type { Folder, MailRow } from './mail.ts';

/** Expired stakes that one listing settles; the schedule takes the rest. */
const SETTLED_MAX = 50;

export interface ListRequest {
  readonly owner: Account;
  readonly folder: Folder;
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly now: number;
}

export interface Listing {
  readonly page: MailPage;
  /** The account as it stands after settling. */
  readonly owner: Account;
}

const pendingOn = (rows: readonly MailRow[]): number => rows.filter((row) => row.stake?.status === 'pending' && !row.isRead).length;

/** Expired rows: those on the page, or the oldest of the folder when the page does not show every held stake. */
const expiredRows = async (ports: ExpirePorts, { owner, now }: ListRequest, rows: readonly MailRow[]): Promise<MailRow[]> => {
  if (owner.mail.pendingStakes === 0) return [];
  const held = pendingOn(rows) >= owner.mail.pendingStakes ? rows : await ports.mailboxes.staked(owner.wallet, SETTLED_MAX);
  return held.filter((row) => isExpired(row, now));
};

/** Lists one page. */
export const listMail = async (ports: ExpirePorts, request: ListRequest): Promise<Listing> => {
  const { owner, folder, limit, offset, cursor, now } = request;
  const input = { owner: owner.wallet, folder, limit, offset, ...(cursor !== undefined && { cursor }) };
  const page = await ports.mailboxes.list(input);
  if (folder !== 'inbox') return { page, owner };
  const expired = await expiredRows(ports, request, page.rows);
  if (expired.length === 0) return { page, owner };
  for (const row of expired) await expireStake(ports, row, now);
  const fresh = (await ports.accounts.byWallet(owner.wallet, { strong: true })) ?? owner;
  return { page: await ports.mailboxes.list(input), owner: fresh };
};
