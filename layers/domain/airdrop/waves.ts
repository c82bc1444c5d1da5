// Airdrop waves: what they are, and when their claim is open for whom.
import { fail, type Outcome, ok } from '../errors.ts';

export interface Wave {
  readonly id: string;
  readonly name: string;
  readonly badge: string;
  /** The multiplier times two, so that half steps stay exact. */
  readonly multiplierHalves: bigint;
  /** Unix seconds. */
  readonly opensAt: number;
  /** Unix seconds; undefined for a wave without an end. */
  readonly closesAt: number | undefined;
  /** Most ATTN that one account can claim. */
  readonly amountMax: bigint;
}

export type WaveStatus = 'preview' | 'claimable' | 'claimed' | 'expired';

const isClosed = (wave: Wave, now: number): boolean => wave.closesAt !== undefined && now >= wave.closesAt;

/** The state of a wave for one account. */
export const statusOf = (wave: Wave, isClaimed: boolean, now: number): WaveStatus => {
  if (isClaimed) return 'claimed';
  if (now < wave.opensAt) return 'preview';
  return isClosed(wave, now) ? 'expired' : 'claimable';
};

/** Whether claiming is possible at all at this moment: `wave_not_open` before, `wave_closed` after. */
export const checkOpen = (wave: Wave, now: number): Outcome<void> => {
  if (now < wave.opensAt) {
    return fail('wave_not_open', { fields: { claim_opens_at: wave.opensAt }, retryAfterSeconds: wave.opensAt - now });
  }
  return isClosed(wave, now) ? fail('wave_closed') : ok(undefined);
};
