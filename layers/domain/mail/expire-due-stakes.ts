// The schedule that ends stakes after 48 hours, for mailboxes that nobody looks into.
import type { DueStakes } from '../ports/due.ts';
import type { Wallet } from '../values/wallet.ts';
import { type ExpirePorts, expireStake } from './expire-stakes.ts';
import type { MailRow } from './mail.ts';

/** Mailboxes settled at a time. The stakes of one mailbox race for one cap, so they go one after the other. */
const PARALLEL = 8;

const byOwner = (rows: readonly MailRow[]): MailRow[][] => {
  const groups = new Map<Wallet, MailRow[]>();
  for (const row of rows) groups.set(row.owner, [...(groups.get(row.owner) ?? []), row]);
  return [...groups.values()];
};

const settleMailbox = async (ports: ExpirePorts, rows: readonly MailRow[], now: number): Promise<void> => {
  for (const row of rows) await expireStake(ports, row, now);
};

const settlePage = async (ports: ExpirePorts, rows: readonly MailRow[], now: number): Promise<void> => {
  const mailboxes = byOwner(rows);
  for (let start = 0; start < mailboxes.length; start += PARALLEL) {
    await Promise.all(mailboxes.slice(start, start + PARALLEL).map((mailbox) => settleMailbox(ports, mailbox, now)));
  }
};

/** Settles what is due while `hasTime`; the next run takes the rest. Gives the number of stakes looked at. */
export const expireDueStakes = async (
  ports: ExpirePorts & { dueStakes: DueStakes },
  now: number,
  hasTime: () => boolean,
): Promise<number> => {
  let count = 0;
  for await (const rows of ports.dueStakes.pages(now)) {
    if (!hasTime()) break;
    await settlePage(ports, rows, now);
    count += rows.length;
  }
  return count;
};
