// Looks for mail that was stored and never dealt with, because its notification was lost, and puts it in line again.
import type { CountEvent, Journal, JournalEntry, SeenMarks } from '../ports/mail.ts';
import type { Digests } from '../ports/stores.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import { journalMark } from './receive-message.ts';

/** Younger mail may still be on its way; older mail has had its week of tries, and stays readable in the journal. */
const WAIT_SECONDS = 900;
const GIVE_UP_SECONDS = 7 * SECONDS_PER_DAY;

/** The notification of a journal entry as the provider would write it; undefined when it cannot be known for whom it is. */
export type RebuildNotification = (entry: JournalEntry, head: Uint8Array, mailDomain: string) => string | undefined;

export interface SweepJournalPorts {
  readonly mailDomain: string;
  readonly journal: Journal;
  readonly seenMarks: SeenMarks;
  readonly digests: Digests;
  readonly rebuildNotification: RebuildNotification;
  readonly inbound: { put(body: string): Promise<void> };
  readonly count: CountEvent;
}

const isDue = ({ storedAt, sesId }: JournalEntry, now: number): boolean =>
  // SES leaves one object of its own when the rule is made.
  sesId !== 'AMAZON_SES_SETUP_NOTIFICATION' && storedAt <= now - WAIT_SECONDS && storedAt > now - GIVE_UP_SECONDS;

const queueAgain = async (ports: SweepJournalPorts, entry: JournalEntry, now: number): Promise<boolean> => {
  if (await ports.seenMarks.has(journalMark(ports.digests.sha256Hex, entry.sesId), now)) return false;
  const head = await ports.journal.head(entry);
  const body = head && ports.rebuildNotification(entry, head, ports.mailDomain);
  if (body === undefined) {
    ports.count('mail_refused', 'unknown_recipients');
    return false;
  }
  await ports.inbound.put(body);
  return true;
};

/** @returns how many messages were put in line; taking one in twice does no harm. */
export const sweepJournal = async (ports: SweepJournalPorts, now: number, hasTime: () => boolean): Promise<number> => {
  let queued = 0;
  for await (const page of ports.journal.pages()) {
    for (const entry of page.filter((candidate) => isDue(candidate, now))) {
      if (!hasTime()) return queued;
      if (await queueAgain(ports, entry, now)) queued += 1;
    }
    if (!hasTime()) return queued;
  }
  return queued;
};
