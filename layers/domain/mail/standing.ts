// The breaker: an account whose external mail keeps bouncing is stopped before it harms the name of the whole domain.
import type { Standing } from '../ports/mail.ts';

/** How many of the last messages are looked at, and how many hard bounces among them stop the sender. */
export const BOUNCE_WINDOW = 50;
export const BOUNCES_MAX = 5;

const inWindow = ({ sent, bouncedAt }: Pick<Standing, 'sent' | 'bouncedAt'>): number[] =>
  bouncedAt.filter((at) => at > sent - BOUNCE_WINDOW);

/** A bounce counts from the moment it is heard of until fifty more messages have left; a paused sender sends none. */
export const isPaused = (standing: Standing): boolean => inWindow(standing).length >= BOUNCES_MAX;

/** The bounces to remember after one more. */
export const withBounce = (standing: Standing): number[] => [...inWindow(standing), standing.sent].slice(-BOUNCES_MAX);
