// The daily claim: once a UTC day, under the cap.
import { describe, expect, it } from 'vitest';
import { claimMovement, decideClaim, secondsToNextClaim } from '#domain/ledger/daily-claim.ts';
import { ALICE, ids, NOON, TODAY } from './fixture.ts';

const NOTHING = { day: 0, earned: 0n };

describe('decideClaim', () => {
  it('default: a new account, and one that claimed yesterday, get 10', () => {
    expect(decideClaim({ lastClaimDay: -1, earnings: NOTHING }, NOON)).toStrictEqual({ pays: true, amount: 10n });
    expect(decideClaim({ lastClaimDay: TODAY - 1, earnings: { day: TODAY - 1, earned: 200n } }, NOON)).toStrictEqual({
      pays: true,
      amount: 10n,
    });
  });

  it.each([
    [190n, 10n],
    [195n, 5n],
    [199n, 1n],
  ])('behavior: after %s earned it pays %s', (earned, amount) => {
    expect(decideClaim({ lastClaimDay: -1, earnings: { day: TODAY, earned } }, NOON)).toStrictEqual({ pays: true, amount });
  });

  it('behavior: a second claim on the day pays nothing, also at a full cap', () => {
    const refusal = { pays: false, reason: 'claimed_today' };

    expect(decideClaim({ lastClaimDay: TODAY, earnings: NOTHING }, NOON)).toStrictEqual(refusal);
    expect(decideClaim({ lastClaimDay: TODAY, earnings: { day: TODAY, earned: 200n } }, NOON)).toStrictEqual(refusal);
    expect(decideClaim({ lastClaimDay: TODAY + 1, earnings: NOTHING }, NOON)).toStrictEqual(refusal);
  });

  it('behavior: a full cap pays nothing', () => {
    expect(decideClaim({ lastClaimDay: -1, earnings: { day: TODAY, earned: 200n } }, NOON)).toStrictEqual({
      pays: false,
      reason: 'cap_reached',
    });
  });
});

describe('secondsToNextClaim', () => {
  it('default: 0 while it is open, else until midnight UTC', () => {
    expect(secondsToNextClaim({ lastClaimDay: -1, earnings: NOTHING }, NOON)).toBe(0);
    expect(secondsToNextClaim({ lastClaimDay: TODAY, earnings: NOTHING }, NOON)).toBe(43_200);
  });
});

describe('claimMovement', () => {
  it('default: comes from the mint, with an id that names wallet and day', () => {
    expect(claimMovement(ids, ALICE, 10n, NOON)).toStrictEqual({
      id: `next ${NOON}`,
      asset: 'ATTN',
      type: 'daily_claim',
      debit: 'mint',
      credit: ALICE,
      amount: 10n,
      at: NOON,
      reference: {},
    });
  });
});
