// Time as the service counts it: integer Unix seconds, and UTC calendar days for everything that is "per day".

export const SECONDS_PER_DAY = 86_400;

/** The UTC calendar day of a moment, counted from 1970-01-01. */
export const dayOf = (unixSeconds: number): number => Math.floor(unixSeconds / SECONDS_PER_DAY);

/** Seconds from a moment to the next UTC midnight. */
export const secondsToNextDay = (unixSeconds: number): number => (dayOf(unixSeconds) + 1) * SECONDS_PER_DAY - unixSeconds;

/** The time the use cases go by; never `Date.now()` inside the domain, so that tests and the local stack can move it. */
export interface Clock {
  nowSeconds(): number;
}
