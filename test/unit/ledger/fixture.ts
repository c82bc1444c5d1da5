// Two agents and ids that name their cause.
import type { Ids } from '#domain/values/id.ts';
import type { Wallet } from '#domain/values/wallet.ts';

export const ALICE: Wallet = `0x${'a'.repeat(40)}`;
export const BOB: Wallet = `0x${'b'.repeat(40)}`;

/** 2 September 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 8, 2, 12) / 1000;
export const TODAY = Math.floor(NOON / 86_400);

export const ids: Ids = {
  next: (now, after) => (after === undefined ? `next ${now}` : `next ${now} after ${after}`),
  derived: (now, cause) => `${now} ${cause}`,
  derivedAtMs: (nowMs, cause) => `${nowMs} ${cause}`,
  token: (length) => 'x'.repeat(length),
};
