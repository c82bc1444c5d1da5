// The four chains of the local stack and the addresses that things have on them. The addresses are those of
// production, so that the service runs with the same constants everywhere.
import type { Address } from 'viem';

/** How the stack names its chains: by chain id, and Tempo by name. */
export const NETWORKS = ['8453', '1', '84532', 'tempo'] as const;
export type Network = (typeof NETWORKS)[number];

interface NetworkSettings {
  readonly chainId: number;
  /** Parameters of anvil that this chain needs besides its id. */
  readonly flags: readonly string[];
  /**
   * Empty blocks mined after a block with transactions, one a tick: automatic mining stops at the transaction's
   * own block, and a payment that asks for three confirmations would wait for ever.
   */
  readonly trailingBlocks: number;
}

const evm = (chainId: number): NetworkSettings => ({ chainId, flags: [], trailingBlocks: 3 });

export const NETWORK_SETTINGS: Readonly<Record<Network, NetworkSettings>> = {
  '8453': evm(8453),
  '1': evm(1),
  '84532': evm(84532),
  tempo: {
    chainId: 4217,
    // Tempo takes fees in tokens. The plain transaction pool would refuse every wallet without a native balance,
    // which on Tempo is every wallet.
    flags: ['--network', 'tempo', '--hardfork', 'T4', '--disable-pool-balance-checks'],
    trailingBlocks: 0,
  },
};

/** Basenames on Base (8453). */
export const BASENAMES = {
  registry: '0xB94704422c2a1E396835A571837Aa5AE53285a95',
  registrar: '0x03c4738Ee98aE44591e1A4A4F3CaB6641d95DD9a',
  controller: '0xa7d2607c6BD39Ae9521e514026CBB078405Ab322',
  resolver: '0x426fA03fB86E510d0Dd9F70335Cf102a98b10875',
  legacyResolver: '0xC6d566A56A1aFf6508b41f6c90ff131615583BCD',
  reverseRegistrar: '0x79EA96012eEa67A83431F1701B3dFf7e37F9E282',
  ensReverseRegistrar: '0x0000000000D8e504002cC26E3Ec46D81971C1664',
} as const satisfies Record<string, Address>;

/** ENSIP-11 coin type of 8453: what ENS reverse records on Base are signed for. */
export const BASE_COIN_TYPE = 0x80002105n;

/** USDC by network; on Tempo see TEMPO_USDC. */
export const USDC = {
  '8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  '1': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '84532': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
} as const satisfies Partial<Record<Network, Address>>;

/** USDC.e, the currency that MPP charges in on Tempo. */
export const TEMPO_USDC: Address = '0x20C000000000000000000000b9537d11c60E8b50';

/** The stablecoin that Tempo's block producers take fees in. */
export const PATH_USD: Address = '0x20C0000000000000000000000000000000000000';

/** Factory of contract wallets, on every chain but Tempo. Ours alone: it has no counterpart in production. */
export const WALLET_FACTORY: Address = '0x1271000000000000000000000000000000006492';
