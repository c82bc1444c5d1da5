// The machine's clock, as the domain reads it.
import type { Clock } from '#domain/values/time.ts';

export const systemClock: Clock = { nowSeconds: () => Math.floor(Date.now() / 1000) };
