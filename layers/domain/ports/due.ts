// What the schedules ask of storage: everything of a kind whose time has come, in pages.
import type { MailRow } from '../mail/mail.ts';

export interface DueStakes {
  /** Rows whose stake was still held when the index was written; the row itself decides. */
  pages(now: number): AsyncIterable<readonly MailRow[]>;
}
