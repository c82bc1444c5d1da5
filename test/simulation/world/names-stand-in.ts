// Stands in for adapters/evm/names.ts: names of the simulated chain, owned for ever once they are.
import { parseLabel } from '#adapters/evm/label.ts';
import type { Names } from '#domain/ports/wallets.ts';
import { presentChain } from './chain.ts';

const REGISTRAR = { chainId: 8453, address: `0x${'c'.repeat(40)}` } as const;
const FOR_EVER = 4_000_000_000;

export interface NamesSettings {
  readonly chainId?: number;
  readonly addresses?: { readonly controller?: `0x${string}` };
}

export const createNames = (_clients: unknown, _settings: NamesSettings): Names => {
  const { names } = presentChain();
  return {
    registrar: REGISTRAR,
    parseLabel,
    ownerOf: async (label) => {
      const owner = names.get(label);
      return owner ? { owner } : 'none';
    },
    reverseName: async () => 'none',
    isAvailable: async (label) => !names.has(label),
    price: async () => 10n ** 15n,
    expiry: async (label) => (names.has(label) ? FOR_EVER : 'none'),
    registerCall: async () => {
      throw new Error('the simulation sells no names');
    },
  };
};
