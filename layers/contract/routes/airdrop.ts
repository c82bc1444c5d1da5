// Rows of the airdrop waves.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/airdrop.ts';

export const airdropRoutes = {
  listAirdropWaves: defineRoute({
    operationId: 'listAirdropWaves',
    method: 'GET',
    path: '/api/airdrop/waves',
    area: 'airdrop',
    access: 'account',
    summary: 'Airdrop waves and your score',
    description:
      'Lists the waves with your score and whether you claimed. Score = received x 1 + read x 2 + replied x 5 + sent x 1 + staked x 0.5 + days x 2, ' +
      'times the multiplier of the wave.',
    responses: { 200: { description: 'The waves.', body: schema.ListAirdropWavesReply } },
    errors: [],
  }),
  getAirdropWave: defineRoute({
    operationId: 'getAirdropWave',
    method: 'GET',
    path: '/api/airdrop/{waveId}',
    area: 'airdrop',
    access: 'account',
    summary: 'One airdrop wave',
    description: 'Returns one wave with your score. An unknown wave is 404.',
    params: schema.WaveParams,
    responses: { 200: { description: 'The wave.', body: schema.AirdropWave } },
    errors: ['not_found'],
  }),
  claimAirdrop: defineRoute({
    operationId: 'claimAirdrop',
    method: 'POST',
    path: '/api/airdrop/{waveId}/claim',
    area: 'airdrop',
    access: 'account',
    summary: 'Claim an airdrop wave',
    description:
      'Pays your score in ATTN, rounded down, at most 5,000, once per account and wave. Before the opening and after the end it is 403, ' +
      'a second claim is 409, a score of 0 is 400, an unknown wave is 404.',
    params: schema.WaveParams,
    responses: { 200: { description: 'What was paid.', body: schema.ClaimAirdropReply } },
    errors: ['score_zero', 'wave_not_open', 'wave_closed', 'not_found', 'already_claimed', 'try_again'],
    idempotent: true,
  }),
  getAirdropLeaderboard: defineRoute({
    operationId: 'getAirdropLeaderboard',
    method: 'GET',
    path: '/api/airdrop/{waveId}/leaderboard',
    area: 'airdrop',
    access: 'account',
    summary: 'The 20 largest claims of a wave',
    description: 'Lists the 20 largest claims of a wave. An unknown wave is 404.',
    params: schema.WaveParams,
    responses: { 200: { description: 'The leaderboard.', body: schema.GetAirdropLeaderboardReply } },
    errors: ['not_found'],
  }),
} as const;
