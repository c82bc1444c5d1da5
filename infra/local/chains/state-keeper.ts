// Keeps a chain's state on disk while it runs: anvil itself writes only when it is asked to end, and `kill -9` does
// not ask. Also mines the blocks that follow a transaction on a living chain.
import { readFileSync, renameSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Rpc } from './rpc.ts';

// At most this much of a chain's history is lost to a hard kill.
const TICK_MS = 250;
// A long history takes long to write: then write less often, so that keeping it never costs more than a tenth of a core.
const REST_FACTOR = 10;

/** What a saved chain tells before it is loaded: seconds since the epoch of its newest block; undefined for no usable file. */
export function savedBlockTime(file: string): number | undefined {
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as { block: { timestamp: string | number } };
    return Number(state.block.timestamp);
  } catch {
    return undefined;
  }
}

/** Saves one chain to one file, whenever its newest block changed. */
export class StateKeeper {
  readonly #rpc: Rpc;
  readonly #file: string;
  readonly #trailingBlocks: number;
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #seenBlock = -1;
  #savedBlock = -1;
  #blocksToMine = 0;

  constructor(rpc: Rpc, file: string, trailingBlocks: number) {
    this.#rpc = rpc;
    this.#file = file;
    this.#trailingBlocks = trailingBlocks;
  }

  /** Saves now, then watches. */
  async start(): Promise<void> {
    this.#seenBlock = await this.#newestBlock();
    await this.#save();
    this.#savedBlock = this.#seenBlock;
    this.#running = this.#watch();
  }

  /** Saves a last time, also what changed without a block (balances set by hand), and stops watching. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    // A node that has died already has nothing to tell; what was saved stays.
    await this.#save().catch(() => undefined);
  }

  async #watch(): Promise<void> {
    let restMs = TICK_MS;
    while (!this.#ending.signal.aborted) {
      try {
        await wait(restMs, undefined, { signal: this.#ending.signal, ref: false });
        const began = performance.now();
        await this.#tick();
        restMs = Math.max(TICK_MS, (performance.now() - began) * REST_FACTOR);
      } catch {
        // Aborted, or the node did not answer this time: the next tick, or the last save, tries again.
      }
    }
  }

  async #tick(): Promise<void> {
    const newest = await this.#newestBlock();
    if (newest > this.#seenBlock) this.#blocksToMine = this.#trailingBlocks;
    this.#seenBlock = newest;
    if (this.#blocksToMine > 0) {
      await this.#rpc('evm_mine');
      this.#blocksToMine -= 1;
      // If someone else's block came in between, the newest is one higher still, and counts as new next time.
      this.#seenBlock = newest + 1;
    }
    if (this.#seenBlock !== this.#savedBlock) {
      await this.#save();
      this.#savedBlock = this.#seenBlock;
    }
  }

  async #newestBlock(): Promise<number> {
    return Number(await this.#rpc('eth_blockNumber'));
  }

  async #save(): Promise<void> {
    const packed = Buffer.from(String(await this.#rpc('anvil_dumpState')).slice(2), 'hex');
    await writeFile(`${this.#file}.new`, await promisify(gunzip)(packed));
    // Renamed when whole: a kill in the middle leaves the former state.
    renameSync(`${this.#file}.new`, this.#file);
  }
}
