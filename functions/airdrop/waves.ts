// The waves that this deployment runs, from its settings.
import { WaveSettings } from '#contract/schemas/airdrop.ts';
import type { Wave } from '#domain/airdrop/waves.ts';

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** Reads the waves. @throws when the settings are none: they were checked when the service was deployed. */
export const readWaves = (settings: string): readonly Wave[] =>
  WaveSettings.parse(JSON.parse(settings)).map((wave) => ({
    id: wave.id,
    name: wave.name,
    badge: wave.badge,
    multiplierHalves: BigInt(wave.multiplier * 2),
    opensAt: seconds(wave.opens_at),
    closesAt: wave.closes_at === null ? undefined : seconds(wave.closes_at),
    amountMax: BigInt(wave.amount_max),
  }));
