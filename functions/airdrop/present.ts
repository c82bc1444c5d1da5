// How waves, scores and the leaderboard read on the wire.
import type { WavePayment } from '#domain/airdrop/claim-wave.ts';
import { type Score, scoreOf } from '#domain/airdrop/score.ts';
import { statusOf, type Wave } from '#domain/airdrop/waves.ts';
import type { Account } from '#domain/identity/account.ts';
import type { WaveClaim } from '#domain/ports/airdrop.ts';

const multiplierOf = (wave: Wave): number => Number(wave.multiplierHalves) / 2;

const scoreBody = ({ activity, daysSinceSignup, baseHalves, totalQuarters }: Score, wave: Wave) => ({
  breakdown: {
    emails_received: activity.received,
    emails_read: activity.read,
    emails_replied: activity.replied,
    emails_sent: activity.sent,
    attn_staked: Number(activity.staked),
    days_since_signup: daysSinceSignup,
  },
  base_score: Number(baseHalves) / 2,
  multiplier: multiplierOf(wave),
  total: Number(totalQuarters) / 4,
});

export const waveBody = (wave: Wave, account: Account, claimed: ReadonlySet<string>, now: number) => ({
  id: wave.id,
  name: wave.name,
  badge: wave.badge,
  multiplier: multiplierOf(wave),
  status: statusOf(wave, claimed.has(wave.id), now),
  score: scoreBody(scoreOf(account, wave.multiplierHalves, now), wave),
  claim_opens_at: wave.opensAt,
  claimed: claimed.has(wave.id),
});

export const paymentBody = ({ wave, amount, score }: WavePayment) => ({
  claimed: true,
  wave: wave.id,
  amount: Number(amount),
  score: scoreBody(score, wave),
});

export const leaderboardBody = (wave: Wave, claims: readonly WaveClaim[]) => ({
  wave: wave.id,
  leaderboard: claims.map(({ handle, amount, at }) => ({ handle, amount: Number(amount), claimed_at: at })),
});
