// Demand D(t): the mail an account received today and on the six UTC days before. Counted on the account itself, one
// figure a day, in the transaction of each arrival.
import type { Account, Arrivals } from '../identity/account.ts';
import type { MailRow } from '../mail/mail.ts';
import { dayOf } from '../values/time.ts';

const DAYS_COUNTED = 7;

/** One mail more on `day`; `staleDays` are too old to be looked at again. */
export interface Arrival {
  readonly day: number;
  readonly staleDays: readonly number[];
}

const isCounted = (day: number, now: number): boolean => day > dayOf(now) - DAYS_COUNTED;

/** Mail received today and on the six UTC days before. */
export const demandOf = (account: Pick<Account, 'arrivals'>, now: number): number =>
  account.arrivals.filter(({ day }) => isCounted(day, now)).reduce((sum, { count }) => sum + count, 0);

/** The arrival of one mail at an account as it was last read. */
export const arrivalAt = (account: Pick<Account, 'arrivals'>, now: number): Arrival => ({
  day: dayOf(now),
  staleDays: account.arrivals.map(({ day }) => day).filter((day) => !isCounted(day, now)),
});

/** The days of mail that waited for an account. */
export const arrivalsOf = (rows: readonly Pick<MailRow, 'folder' | 'createdAt'>[], now: number): Arrivals[] => {
  const counts = new Map<number, number>();
  for (const { folder, createdAt } of rows) {
    const day = dayOf(createdAt);
    if (folder === 'inbox' && isCounted(day, now)) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].map(([day, count]) => ({ day, count }));
};
