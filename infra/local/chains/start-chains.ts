// The chains of the local stack: Base, Ethereum, Base Sepolia and Tempo, one node each, with what the service and its
// testers need on them. Their state outlives the stack, however it ends.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Address, Hex } from 'viem';
import { endChild } from '../child-process.ts';
import { type Door, startAt } from '../held-port.ts';
import type { Clock } from '../model.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { type ChainKeys, loadKeys } from './keys.ts';
import { NETWORK_SETTINGS, NETWORKS, type Network, TEMPO_USDC } from './networks.ts';
import { StateKeeper } from './state-keeper.ts';
import { startTempoGateway, type TempoGateway } from './tempo-gateway.ts';

export interface ChainsOptions {
  /** The stack's data folder; everything here lives under `chains` in it. One running stack per folder. */
  readonly dataDir: string;
  /** Port of each node. */
  readonly ports: Readonly<Record<Network, Door>>;
  readonly clock: Clock;
  /** Pays for sponsored names instead of the generated platform key; on a bare chain it is given ETH. */
  readonly platformKey?: Hex;
}

export interface Chains {
  readonly urls: Readonly<Record<Network, string>>;
  /** Where ETH for credits and USDC for ATTN is paid to. */
  readonly depositAddress: Address;
  /** Holds ETH everywhere, USDC on 8453, 1 and 84532, USDC.e and pathUSD on Tempo. */
  readonly faucetPrivateKey: Hex;
  readonly platformPrivateKey: Hex;
  readonly tempo: { readonly chainId: number; readonly currency: Address };
  /** Moves every chain's time on by whole `seconds` and mines a block, so that calls see it. */
  advance(seconds: number): Promise<void>;
  /** Process ids of the nodes. */
  pids(): number[];
  /** Saves every chain and ends its node. */
  stop(): Promise<void>;
}

interface RunningChain {
  readonly anvil: Anvil;
  readonly keeper: StateKeeper;
  readonly gateway: TempoGateway | undefined;
}

/** Starts all four nodes at the clock's time with the state that `dataDir` holds, or bare and then set up. */
export async function startChains(options: ChainsOptions): Promise<Chains> {
  const folder = join(options.dataDir, 'chains');
  mkdirSync(folder, { recursive: true });
  const keys = await loadKeys(folder, options.platformKey);
  const started = await Promise.allSettled(NETWORKS.map((network) => startChain(network, folder, options, keys)));
  const running = started.filter((result) => result.status === 'fulfilled').map((result) => result.value);
  const failure = started.find((result) => result.status === 'rejected');
  if (failure) {
    await Promise.all(running.map(stopChain));
    throw failure.reason;
  }
  return describe(running, keys);
}

async function startChain(network: Network, folder: string, options: ChainsOptions, keys: ChainKeys): Promise<RunningChain> {
  const isTempo = network === 'tempo';
  // Tempo's own port belongs to the gateway in front of its node.
  const door = isTempo ? 0 : options.ports[network];
  const anvil = await startAt(door, (port) => startAnvil({ network, folder, port, nowMs: options.clock.nowMs() }));
  let gateway: TempoGateway | undefined;
  try {
    if (anvil.isFresh) await setUp(anvil, keys);
    if (isTempo) gateway = await startTempoGateway(options.ports.tempo, anvil.url);
    const keeper = new StateKeeper(anvil.rpc, anvil.stateFile, NETWORK_SETTINGS[network].trailingBlocks);
    await keeper.start();
    return { anvil, keeper, gateway };
  } catch (error) {
    await gateway?.close();
    await endChild(anvil.process);
    throw error;
  }
}

// Loaded on a bare chain only: a start on a known folder does without the contract library.
async function setUp({ network, rpc }: Anvil, keys: ChainKeys): Promise<void> {
  if (network === 'tempo') await (await import('./set-up-tempo.ts')).setUpTempo(rpc, keys);
  else await (await import('./place-contracts.ts')).setUpEvmChain(network, rpc, keys);
}

function describe(running: readonly RunningChain[], keys: ChainKeys): Chains {
  const urls = Object.fromEntries(running.map(({ anvil, gateway }) => [anvil.network, gateway?.url ?? anvil.url])) as Record<
    Network,
    string
  >;
  return {
    urls,
    depositAddress: keys.deposit.address,
    faucetPrivateKey: keys.faucet.private_key,
    platformPrivateKey: keys.platform.private_key,
    tempo: { chainId: NETWORK_SETTINGS.tempo.chainId, currency: TEMPO_USDC },
    advance: async (seconds) => {
      await Promise.all(running.map(({ anvil }) => advanceChain(anvil, seconds)));
    },
    pids: () => running.flatMap(({ anvil }) => anvil.process.pid ?? []),
    stop: async () => {
      await Promise.all(running.map(stopChain));
    },
  };
}

async function advanceChain({ rpc }: Anvil, seconds: number): Promise<void> {
  await rpc('evm_increaseTime', seconds);
  await rpc('evm_mine');
}

async function stopChain({ anvil, keeper, gateway }: RunningChain): Promise<void> {
  await gateway?.close();
  await keeper.stop();
  await endChild(anvil.process);
}
