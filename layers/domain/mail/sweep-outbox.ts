// External messages that nobody confirmed in time: the credit goes back. Nothing is ever sent from here.
import type { Committer, OutboxEntry } from '../ports/changes.ts';
import type { Outbox } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import { creditRefund } from './send-external.ts';
import { settleOutbox } from './settle-outbox.ts';

const PAGE = 25;

export interface SweepPorts {
  readonly outbox: Outbox;
  readonly committer: Committer;
  readonly ids: Ids;
}

const giveUp = async (ports: SweepPorts, entry: OutboxEntry, now: number): Promise<void> => {
  const { wallet, emailId, createdAt } = entry;
  const along = creditRefund(ports.ids, { wallet, emailId, chargedAt: createdAt }, now);
  await settleOutbox(ports.committer, { wallet, emailId, to: 'failed', along });
};

/** Settles what is due, page by page while `hasTime`; entries that someone settles meanwhile are theirs. */
export const sweepOutbox = async (ports: SweepPorts, now: number, hasTime: () => boolean): Promise<number> => {
  const seen = new Set<string>();
  while (hasTime()) {
    const entries = (await ports.outbox.due(now, PAGE)).filter(({ emailId }) => !seen.has(emailId));
    if (entries.length === 0) break;
    for (const entry of entries) {
      seen.add(entry.emailId);
      await giveUp(ports, entry, now);
    }
  }
  return seen.size;
};
