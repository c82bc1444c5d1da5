// Changes of the airdrop.
import type { WaveClaim } from '../airdrop.ts';

/** Remembers a claim and puts it on the wave's leaderboard; refused as `already_claimed` when the wallet claimed before. */
export interface AirdropChange {
  readonly kind: 'wave.claim';
  readonly claim: WaveClaim;
}
