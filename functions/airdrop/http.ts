// Airdrop waves: scores, claims and the leaderboard.
import { openWaveClaims } from '#adapters/dynamo/airdrop-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { airdropRoutes } from '#contract/routes/airdrop.ts';
import { claimWave, type WavePayment } from '#domain/airdrop/claim-wave.ts';
import { notFound } from '#domain/errors.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { leaderboardBody, paymentBody, waveBody } from './present.ts';
import { readWaves } from './waves.ts';

const { table, options } = openAccess();
const waves = readWaves(required('AIRDROP_WAVES'));
const claims = openWaveClaims(table);
const ports = { committer: openCommitter(table), ids: systemIds };

/** Interface, "Limits" 5. */
const LEADERBOARD_ROWS = 20;

const waveOf = (id: string) => waves.find((wave) => wave.id === id);

export const handler = areaHandler(airdropRoutes, options, {
  listAirdropWaves: async (_input, { account, now }) => {
    const claimed = await claims.claimedBy(account.wallet);
    return answerWith({ waves: waves.map((wave) => waveBody(wave, account, claimed, now)) });
  },
  getAirdropWave: async ({ params }, { account, now }) => {
    const wave = waveOf(params.waveId);
    return wave ? answerWith(waveBody(wave, account, await claims.claimedBy(account.wallet), now)) : notFound('Wave');
  },
  claimAirdrop: async ({ params }, { account, now, commitReply }) => {
    const hasClaimed = (await claims.claimedBy(account.wallet)).has(params.waveId);
    const request = { account, wave: waveOf(params.waveId), hasClaimed, now };
    const claimed = await claimWave(ports, { ...request, commitReply: (payment: WavePayment) => commitReply(200, paymentBody(payment)) });
    return claimed.ok ? answerWith(paymentBody(claimed.value)) : claimed;
  },
  getAirdropLeaderboard: async ({ params }) => {
    const wave = waveOf(params.waveId);
    return wave ? answerWith(leaderboardBody(wave, await claims.largest(wave.id, LEADERBOARD_ROWS))) : notFound('Wave');
  },
});
