// Schedules: a piece of work that is safe to run twice, stopped before its function is.
import type { Context } from 'aws-lambda';
import { systemClock } from '#runtime/clock.ts';
import { logger } from '#runtime/logger.ts';

/** Left for the last item and the log. */
const RESERVE_MS = 5000;

/** Runs `work` with the time it may take; what it does not finish is due at the next run too. */
export const scheduleHandler =
  (done: string, work: (now: number, hasTime: () => boolean) => Promise<number>) =>
  async (_event: unknown, context: Context): Promise<void> => {
    const count = await work(systemClock.nowSeconds(), () => context.getRemainingTimeInMillis() > RESERVE_MS);
    logger.info(done, { count });
  };
