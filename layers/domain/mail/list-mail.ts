// Listing a folder. The inbox settles what has expired before it answers, so that nobody is shown a dead stake.
import type { Account } from '../identity/account.ts';
import { type BondPorts, forfeitBond } from '../attention/end-bond.ts';
import type { MailPage } from '../ports/stores.ts';
import { type ExpirePorts, expireStake, isExpired } from './expire-stakes.ts';
import type { Folder, MailRow } from './mail.ts';

/** Expired stakes, and bonds, that one listing settles; the schedules take the rest. */
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

export interface ListPorts extends ExpirePorts, BondPorts {}

/**
 * Stakes whose time is over. All stakes live equally long, so the oldest tells whether there are any: reading that one
 * keeps a listing as cheap with a thousand held stakes as with one.
 */
const expiredRows = async (ports: ExpirePorts, { owner, now }: Moment): Promise<readonly MailRow[]> => {
  if (owner.mail.pendingStakes === 0) return [];
  const [oldest] = await ports.mailboxes.staked(owner.wallet, 1);
  if (!oldest || !isExpired(oldest, now)) return [];
  return (await ports.mailboxes.staked(owner.wallet, SETTLED_MAX)).filter((row) => isExpired(row, now));
};

const overdueBonds = async (ports: ListPorts, { owner, now }: Moment): Promise<readonly MailRow[]> =>
  owner.mail.bonded === 0 ? [] : ports.mailboxes.bonded({ owner: owner.wallet, overAt: now, limit: SETTLED_MAX });

const forfeit = async (ports: ListPorts, row: MailRow, now: number): Promise<void> => {
  const bond = await ports.bonds.find(row.owner, row.id);
  if (bond) await forfeitBond(ports, bond, now);
};

interface Moment {
  readonly owner: Account;
  readonly now: number;
}

/** Ends what is over in an inbox; gives the account as it stands then, or nothing when all was settled before. */
export const settleOverdue = async (ports: ListPorts, moment: Moment): Promise<Account | undefined> => {
  const [stakes, bonds] = await Promise.all([expiredRows(ports, moment), overdueBonds(ports, moment)]);
  if (stakes.length + bonds.length === 0) return undefined;
  for (const row of stakes) await expireStake(ports, row, moment.now);
  for (const row of bonds) await forfeit(ports, row, moment.now);
  return ports.accounts.byWallet(moment.owner.wallet, { strong: true });
};

/** Lists one page. */
export const listMail = async (ports: ListPorts, request: ListRequest): Promise<Listing> => {
  const { owner, folder, limit, offset, cursor } = request;
  const input = { owner: owner.wallet, folder, limit, offset, ...(cursor !== undefined && { cursor }) };
  if (folder !== 'inbox') return { page: await ports.mailboxes.list(input), owner };
  const [page, fresh] = await Promise.all([ports.mailboxes.list(input), settleOverdue(ports, request)]);
  return fresh ? { page: await ports.mailboxes.list(input), owner: fresh } : { page, owner };
};
