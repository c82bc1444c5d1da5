// Follows the registrar's events into the table: a name that was given to a wallet can be found by nothing else, since
// the registrar lists no names and its token ids are hashes.
import type { NameEventSource, NameEventStore } from '../ports/names.ts';

export interface TailPorts {
  readonly nameEvents: NameEventSource;
  readonly nameEventStore: NameEventStore;
}

/** Most providers answer this many blocks at once. */
const RANGE_BLOCKS_MAX = 2000;
/** What refuses this few blocks refuses for another reason. */
const RANGE_BLOCKS_MIN = 50;
/** Blocks that a reorganisation may have changed since they were read; storing them again is harmless. */
const REREAD_BLOCKS = 20;

/** Reads and stores one range, a smaller one when the provider finds it too wide; gives the block after it. */
const readRange = async (ports: TailPorts, first: number, head: number): Promise<number | undefined> => {
  for (let blocks = RANGE_BLOCKS_MAX; blocks >= RANGE_BLOCKS_MIN; blocks = Math.floor(blocks / 2)) {
    const last = Math.min(first + blocks - 1, head);
    const events = await ports.nameEvents.read(first, last);
    if (events === 'unavailable') continue;
    await ports.nameEventStore.record(events);
    return last + 1;
  }
  return undefined;
};

/** Catches up with the chain while `hasTime`; gives the number of blocks read. What is left is the next run's. */
export const tailNames = async (ports: TailPorts, startBlock: number, hasTime: () => boolean): Promise<number> => {
  const head = await ports.nameEvents.head();
  if (head === 'unavailable') return 0;
  let stored = await ports.nameEventStore.nextBlock();
  let next = stored === undefined ? startBlock : Math.max(startBlock, stored - REREAD_BLOCKS);
  let read = 0;
  while (next <= head && hasTime()) {
    const after = await readRange(ports, next, head);
    // Another run that overlaps has gone on from the same place: this one is superfluous.
    if (after === undefined || !(await ports.nameEventStore.advance(stored, after))) break;
    read += after - next;
    stored = after;
    next = after;
  }
  return read;
};
