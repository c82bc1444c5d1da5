// One anvil process: found, started at the stack's time with its saved state, and ended.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { endChild, findProgram, spawnTied } from '../child-process.ts';
import { HeldPort } from '../held-port.ts';
import { NETWORK_SETTINGS, type Network } from './networks.ts';
import { type Rpc, rpcAt } from './rpc.ts';
import { savedBlockTime } from './state-keeper.ts';

/** A running node. */
export interface Anvil {
  readonly network: Network;
  readonly url: string;
  readonly rpc: Rpc;
  readonly process: ChildProcess;
  /** Where its state is kept. */
  readonly stateFile: string;
  /** True when there was no state to load: the chain is bare. */
  readonly isFresh: boolean;
}

const START_MS_MAX = 15_000;
const RETRY_MS = 15;
// The former process on this port may still be dying after a `kill -9` of the whole stack.
const PORT_WAIT_MS = 3000;

/**
 * Starts the node of `network`; its time is `nowMs` or that of its newest block, whichever is later.
 * Throws when the port is taken or the node does not come up, with the end of its log.
 */
export async function startAnvil(options: { network: Network; folder: string; port: number; nowMs: number }): Promise<Anvil> {
  const { network, folder } = options;
  const stateFile = join(folder, `${network}.json`);
  const logFile = join(folder, `${network}.log`);
  const savedTime = savedBlockTime(stateFile);
  const { port } = options;
  await untilFree(port);
  const child = spawnTied(findAnvil(), parametersFor({ network, port, stateFile, savedTime, nowMs: options.nowMs }), { logFile });
  const url = `http://127.0.0.1:${port}`;
  const anvil = { network, url, rpc: rpcAt(url), process: child, stateFile, isFresh: savedTime === undefined };
  try {
    await waitUntilUp(anvil);
  } catch (cause) {
    await endChild(child);
    throw new Error(`anvil for ${network} did not start: ${lastLines(logFile)}`, { cause });
  }
  return anvil;
}

function parametersFor(options: {
  network: Network;
  port: number;
  stateFile: string;
  savedTime: number | undefined;
  nowMs: number;
}): string[] {
  const { chainId, flags } = NETWORK_SETTINGS[options.network];
  const now = Math.floor(options.nowMs / 1000);
  const start = options.savedTime === undefined ? now : Math.max(now, options.savedTime + 1);
  const common = [
    '--quiet',
    '--host',
    '127.0.0.1',
    '--port',
    String(options.port),
    '--chain-id',
    String(chainId),
    '--timestamp',
    String(start),
  ];
  // The one account of a bare chain pays for setting it up; its key is thrown away.
  if (options.savedTime === undefined) return [...common, ...flags, '--mnemonic-random', '--accounts', '1'];
  return [...common, ...flags, '--accounts', '0', '--load-state', options.stateFile];
}

function findAnvil(): string {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch;
  const inPackage = new URL(`../../../node_modules/@foundry-rs/anvil-${process.platform}-${processor}/bin/anvil`, import.meta.url);
  return findProgram('anvil', 'ANVIL_BIN', [fileURLToPath(inPackage)]);
}

async function waitUntilUp(anvil: Pick<Anvil, 'network' | 'rpc' | 'process'>): Promise<void> {
  const expected = NETWORK_SETTINGS[anvil.network].chainId;
  for (const deadline = performance.now() + START_MS_MAX; ; await wait(RETRY_MS)) {
    if (anvil.process.exitCode !== null || anvil.process.signalCode !== null) throw new Error('the process ended');
    const chainId = await anvil.rpc('eth_chainId').catch(() => undefined);
    if (chainId !== undefined && Number(chainId) !== expected) throw new Error(`chain id ${Number(chainId)} instead of ${expected}`);
    if (chainId !== undefined) break;
    if (performance.now() > deadline) throw new Error('no answer');
  }
  // In block 0 calls see a clock of 1 second after the epoch: nothing is expired, and every payment is too early.
  await anvil.rpc('evm_mine');
}

/** Waits until nothing listens on `port`. Throws EADDRINUSE when it stays taken. */
async function untilFree(port: number): Promise<void> {
  for (const deadline = performance.now() + PORT_WAIT_MS; ; await wait(RETRY_MS)) {
    try {
      return await (await HeldPort.take(port)).release();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n');
}
