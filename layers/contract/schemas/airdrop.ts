// Fields of the airdrop waves: scores, claims and the leaderboard.
import * as z from 'zod';
import { looseId, unixSeconds } from './fields.ts';

export const AirdropScore = z.looseObject({
  breakdown: z
    .looseObject({
      emails_received: z.int().describe('Messages received; 1 point each.'),
      emails_read: z.int().describe('Messages read; 2 points each.'),
      emails_replied: z.int().describe('Distinct received messages replied to; 5 points each.'),
      emails_sent: z.int().describe('Messages sent; 1 point each.'),
      attn_staked: z.int().describe('ATTN ever staked; half a point each.'),
      days_since_signup: z.int().describe('Days since sign-up; 2 points each.'),
    })
    .describe('What was counted.'),
  base_score: z.number().describe('Sum of the points, exact to the half point.'),
  multiplier: z.number().describe('Multiplier of the wave.'),
  total: z.number().describe('base_score * multiplier, exact.'),
});

export const AirdropWave = z.looseObject({
  id: z.string().describe('Id of the wave.'),
  name: z.string().describe('Name of the wave.'),
  badge: z.string().describe('Badge of the wave.'),
  multiplier: z.number().describe('What the base score is multiplied with.'),
  status: z.string().describe('`preview`, `claimable`, `claimed` or `expired`, for you.'),
  score: AirdropScore.describe('Your score, now.'),
  claim_opens_at: unixSeconds('When the claim opens.'),
  claimed: z.boolean().describe('Whether you have claimed it.'),
});

export const ListAirdropWavesReply = z.looseObject({ waves: z.array(AirdropWave).describe('All waves.') });

export const WaveParams = z.object({ waveId: looseId('Id of the wave, such as wave1-early-bird.') });

export const ClaimAirdropReply = z.looseObject({
  claimed: z.boolean().describe('Always true; a failure is an error reply.'),
  wave: z.string().describe('Id of the wave.'),
  amount: z.int().describe('ATTN paid: the total, rounded down, at most 5,000.'),
  score: AirdropScore.describe('The score that was paid.'),
});

export const GetAirdropLeaderboardReply = z.looseObject({
  wave: z.string().describe('Id of the wave.'),
  leaderboard: z
    .array(
      z.looseObject({
        handle: z.string().describe('Handle of the account.'),
        amount: z.int().describe('ATTN claimed.'),
        claimed_at: unixSeconds('When it was claimed.'),
      }),
    )
    .describe('The 20 largest claims.'),
});

/** The waves as the operator writes them into the settings (`airdropWaves`). */
export const WaveSettings = z.array(
  z.strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'an id has a-z, 0-9 and - only'),
    name: z.string().min(1),
    badge: z.string().min(1),
    multiplier: z.number().positive().multipleOf(0.5, 'a multiplier goes in steps of 0.5'),
    opens_at: z.iso.datetime('opens_at must be a time in UTC, such as 2026-04-01T11:01:00Z'),
    closes_at: z.iso.datetime('closes_at must be a time in UTC').nullable(),
    amount_max: z.int().min(1).max(1_000_000_000),
  }),
);
export type WaveSettings = z.output<typeof WaveSettings>;
