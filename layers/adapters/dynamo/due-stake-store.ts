// Stakes whose time is over, of all mailboxes.
import type { DueStakes } from '#domain/ports/due.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import { duePages } from './due-index.ts';
import { readMail } from './mail-codec.ts';
import type { Table } from './table.ts';

async function* pages(table: Table, now: number): AsyncGenerator<readonly MailRow[]> {
  for await (const items of duePages(table, 'stake', now)) yield items.map(readMail);
}

export const openDueStakes = (table: Table): DueStakes => ({ pages: (now) => pages(table, now) });
