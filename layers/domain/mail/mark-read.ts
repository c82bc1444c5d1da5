// Marking many mails read. A request does what fits into its time; the rest goes on in the background with the same function.
import type { Account } from '../identity/account.ts';
import type { Folder } from './mail.ts';
import { markMailRead, type ReadPorts } from './read-mail.ts';

/** Mails settled at a time: enough to hide the table's latency, few enough not to fight over one account's item. */
const PARALLEL = 4;
const PAGE = 100;

const markAll = async (ports: ReadPorts, owner: Account, ids: readonly string[], now: number): Promise<void> => {
  for (let start = 0; start < ids.length; start += PARALLEL) {
    const slice = ids.slice(start, start + PARALLEL);
    await Promise.all(slice.map((id) => markMailRead(ports, owner, id, now)));
  }
};

/** Marks the given mails; ids that are unknown or someone else's are passed over. */
export const markIdsRead = (ports: ReadPorts, owner: Account, ids: readonly string[], now: number): Promise<void> =>
  markAll(ports, owner, [...new Set(ids)], now);

/**
 * Marks what was unread up to and including the id `upTo`, until `hasTime` says no.
 *
 * @returns whether everything was marked.
 */
export const markFolderRead = async (
  ports: ReadPorts,
  request: { owner: Account; folder: Folder; upTo: string; now: number; hasTime: () => boolean },
): Promise<boolean> => {
  const { owner, folder, upTo, now, hasTime } = request;
  while (hasTime()) {
    const rows = await ports.mailboxes.unread({ owner: owner.wallet, folder, limit: PAGE, upTo });
    if (rows.length === 0) return true;
    await markAll(ports, owner, rows.map((row) => row.id), now);
  }
  return false;
};
