// Read-only clients for the configured chains: several RPC URLs each, short time-outs, and no cached block heights.
import type { Chain, PublicClient, Transport } from 'viem';

/** Base: sign-in texts name it, and names live on it. */
export const SIGN_IN_CHAIN_ID = 8453;

const RPC_TIMEOUT_MS = 5_000;

export interface ChainSettings {
  /** Tried in order. */
  readonly rpcUrls: readonly string[];
}

export type ChainClient = PublicClient<Transport, Chain>;

export interface ChainClients {
  /** Ids of the chains that have an RPC URL. */
  readonly chainIds: readonly number[];
  /** One client per chain and process; undefined when the chain has no RPC URL. */
  chainClient(chainId: number): Promise<ChainClient | undefined>;
  /** False when the node answers for another chain; rejects when it does not answer. Asked once per process when true. */
  isExpectedChain(chainId: number): Promise<boolean>;
}

const createClient = async (chainId: number, rpcUrls: readonly string[]): Promise<ChainClient> => {
  const { createPublicClient, defineChain, fallback, http } = await import('#evm-runtime/viem.ts');
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [...rpcUrls] } },
  });
  // One attempt a URL: the next URL is the retry. Height caching would make confirmations up to four seconds old.
  const transports = rpcUrls.map((url) => http(url, { timeout: RPC_TIMEOUT_MS, retryCount: 0 }));
  return createPublicClient({ chain, transport: fallback(transports, { retryCount: 0 }), cacheTime: 0 });
};

/** Clients by chain id, e.g. `createChainClients({ 8453: { rpcUrls: [url] } })`; built on first use. */
export const createChainClients = (chains: Readonly<Record<number, ChainSettings>>): ChainClients => {
  const clients = new Map<number, Promise<ChainClient>>();
  const confirmed = new Set<number>();
  const chainIds = Object.keys(chains)
    .map(Number)
    .filter((chainId) => (chains[chainId]?.rpcUrls.length ?? 0) > 0);

  const chainClient = async (chainId: number): Promise<ChainClient | undefined> => {
    if (!chainIds.includes(chainId)) return undefined;
    const client = clients.get(chainId) ?? createClient(chainId, chains[chainId]?.rpcUrls ?? []);
    clients.set(chainId, client);
    return client;
  };

  const isExpectedChain = async (chainId: number): Promise<boolean> => {
    if (confirmed.has(chainId)) return true;
    const client = await chainClient(chainId);
    const isExpected = client !== undefined && (await client.getChainId()) === chainId;
    if (isExpected) confirmed.add(chainId);
    return isExpected;
  };

  return { chainIds, chainClient, isExpectedChain };
};
