// The airdrop score: half points exact, only the amount rounded.
import { describe, expect, it } from 'vitest';
import { amountFor, scoreOf } from '#domain/airdrop/score.ts';
import { checkOpen, statusOf, type Wave } from '#domain/airdrop/waves.ts';

const DAY = 86_400;
const activity = { received: 3, read: 2, replied: 1, sent: 4, staked: 7n };

describe('scoreOf', () => {
  it('default: received 1, read 2, replied 5, sent 1, staked a half, days 2, times the multiplier', () => {
    const score = scoreOf({ activity, registeredAt: 0 }, 4n, 3 * DAY - 1);

    // 3 + 4 + 5 + 4 + 3.5 + 2 * 2 = 23.5; times 2 is 47.
    expect([score.daysSinceSignup, score.baseHalves, score.totalQuarters]).toStrictEqual([2, 47n, 188n]);
    expect(amountFor(score, 5000n)).toBe(47n);
  });

  it('behavior: the amount is floored, and ends at the most', () => {
    const score = scoreOf({ activity: { ...activity, staked: 1n }, registeredAt: 0 }, 1n, 0);

    expect([score.baseHalves, amountFor(score, 5000n), amountFor(score, 7n)]).toStrictEqual([33n, 8n, 7n]);
  });

  it('behavior: a clock behind the sign-up counts no days', () => {
    expect(scoreOf({ activity, registeredAt: 5 * DAY }, 2n, DAY).daysSinceSignup).toBe(0);
  });
});

describe('a wave', () => {
  const wave: Wave = { id: 'w', name: 'W', badge: 'w', multiplierHalves: 4n, opensAt: 100, closesAt: 200, amountMax: 10n };

  it.each([
    [99, 'preview', 'wave_not_open'],
    [100, 'claimable', 'open'],
    [199, 'claimable', 'open'],
    [200, 'expired', 'wave_closed'],
  ])('default: at %s it is %s', (now, status, result) => {
    const open = checkOpen(wave, now);

    expect([statusOf(wave, false, now), open.ok ? 'open' : open.code]).toStrictEqual([status, result]);
    expect(statusOf(wave, true, now)).toBe('claimed');
  });

  it('default: one without an end stays open', () => {
    expect(statusOf({ ...wave, closesAt: undefined }, false, 10_000)).toBe('claimable');
  });
});
