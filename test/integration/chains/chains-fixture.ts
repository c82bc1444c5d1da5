// Starts the four local chains in a folder of their own, with a clock that a test moves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, createTestClient, createWalletClient, defineChain, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Network } from '#infra/local/chains/networks.ts';
import { type Chains, startChains } from '#infra/local/chains/start-chains.ts';

export const FREE_PORTS = { '8453': 0, '1': 0, '84532': 0, tempo: 0 } as const;

export interface TestChains {
  readonly chains: Chains;
  readonly dataDir: string;
  /** Moves the clock and the chains on together, as the stack does. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestChains(): Promise<TestChains> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chains-'));
  let offsetMs = 0;
  const chains = await startChains({ dataDir, ports: FREE_PORTS, clock: { nowMs: () => Date.now() + offsetMs } });
  return {
    chains,
    dataDir,
    advance: async (seconds) => {
      offsetMs += seconds * 1000;
      await chains.advance(seconds);
    },
    stop: async () => {
      await chains.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** A viem view of one EVM chain: reader, the faucet's wallet, and wallets made on the spot. */
export const clientsFor = (chains: Chains, network: Exclude<Network, 'tempo'>) => {
  const url = chains.urls[network];
  const chain = defineChain({
    id: Number(network),
    name: `local ${network}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const shared = { chain, transport: http(url), pollingInterval: 20, cacheTime: 0 };
  const walletOf = (key: Hex) => createWalletClient({ ...shared, account: privateKeyToAccount(key) });
  return {
    reader: createPublicClient(shared),
    node: createTestClient({ ...shared, mode: 'anvil' }),
    faucet: walletOf(chains.faucetPrivateKey),
    platform: walletOf(chains.platformPrivateKey),
    newWallet: () => walletOf(generatePrivateKey()),
  };
};
