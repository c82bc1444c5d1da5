// Marking many mails read. A request does what fits into its time; the rest goes on in the background with the same
// function. Mails are marked thirty to a transaction, because each of them changes its reader's one account item.
import type { Account } from '../identity/account.ts';
import type { Accounts } from '../ports/stores.ts';
import { isEmailId } from '../values/id.ts';
import { endStake } from './end-stake.ts';
import { expireStake, isExpired } from './expire-stakes.ts';
import type { Folder, MailRow } from './mail.ts';
import { markMailRead, readChanges, type ReadPorts } from './read-mail.ts';

export interface MarkReadPorts extends ReadPorts {
  readonly accounts: Accounts;
}

/** A staked mail is its row, a ledger row and its sender's account: thirty of them and the reader's account make 91 actions of 100. */
const BATCH = 30;
const PAGE = 120;

export interface Marking {
  readonly owner: Account;
  readonly now: number;
  readonly hasTime: () => boolean;
}

/** One by one where a batch lost a race: the row that moved on is read afresh, the others are marked all the same. */
const markSingly = async (ports: MarkReadPorts, { owner, now }: Marking, rows: readonly MailRow[]): Promise<void> => {
  for (const row of rows) await markMailRead(ports, owner, row.id, now);
};

const markBatch = async (ports: MarkReadPorts, marking: Marking, rows: readonly MailRow[]): Promise<void> => {
  const { owner, now } = marking;
  // Stakes that still are to pay: each income is decided by the one before it, so no transaction holds two.
  if (rows.some((row) => isExpired(row, now))) return markSingly(ports, marking, rows);
  const committed = await ports.committer.commit(
    rows.flatMap((row) => readChanges(endStake(ports.ids, owner, row, 'read', now), owner, row)),
  );
  if (!committed.ok) await markSingly(ports, marking, rows);
};

/** Stakes whose time is over pay the reader; each of them needs the day's earnings as the one before left them. */
const settleExpired = async (ports: MarkReadPorts, { now }: Marking, rows: readonly MailRow[]): Promise<MailRow[]> => {
  const settled: MailRow[] = [];
  for (const row of rows) {
    if (isExpired(row, now)) await expireStake(ports, row, now);
    const fresh = isExpired(row, now) ? await ports.mailboxes.byId(row.owner, row.id) : row;
    if (fresh && !fresh.isRead) settled.push(fresh);
  }
  return settled;
};

/** @returns how many of the rows were looked at before the time was up. */
const markRows = async (ports: MarkReadPorts, marking: Marking, rows: readonly MailRow[]): Promise<number> => {
  let done = 0;
  for (; done < rows.length && marking.hasTime(); done += BATCH) {
    const batch = await settleExpired(ports, marking, rows.slice(done, done + BATCH));
    if (batch.length > 0) await markBatch(ports, marking, batch);
  }
  return Math.min(done, rows.length);
};

const unreadRows = async (ports: MarkReadPorts, owner: Account, ids: readonly string[]): Promise<MailRow[]> => {
  const rows = await Promise.all(ids.map((id) => (isEmailId(id) ? ports.mailboxes.byId(owner.wallet, id) : undefined)));
  return rows.filter((row) => row !== undefined).filter((row) => !row.isRead && row.folder !== 'sent');
};

/**
 * Marks the given mails; ids that are unknown or someone else's are passed over.
 *
 * @returns the ids that there was no time for.
 */
export const markIdsRead = async (ports: MarkReadPorts, marking: Marking, ids: readonly string[]): Promise<readonly string[]> => {
  const wanted = [...new Set(ids)];
  for (let start = 0; start < wanted.length; start += BATCH) {
    if (!marking.hasTime()) return wanted.slice(start);
    const rows = await unreadRows(ports, marking.owner, wanted.slice(start, start + BATCH));
    if (rows.length > 0) await markRows(ports, marking, rows);
  }
  return [];
};

/**
 * Marks what was unread up to and including the id `upTo`, until `hasTime` says no.
 *
 * @returns whether everything was marked.
 */
export const markFolderRead = async (ports: MarkReadPorts, marking: Marking, folder: Folder, upTo: string): Promise<boolean> => {
  while (marking.hasTime()) {
    const rows = await ports.mailboxes.unread({ owner: marking.owner.wallet, folder, limit: PAGE, upTo });
    if (rows.length === 0) return true;
    await markRows(ports, marking, rows);
  }
  return false;
};
