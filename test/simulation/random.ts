// Randomness that a seed repeats: everything the simulator decides, and everything that the code under it draws.

export interface Random {
  /** An integer from 0 up to `count`, itself not included. */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Buffer;
}

const WORD = 2 ** 32;

/** Mulberry32: small, fast, and more than random enough to choose steps. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (count: number): number => Math.floor((next() / WORD) * count);
  return {
    below,
    chance: (probability) => next() / WORD < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
};

/** A seed of its own for one part of a run, so that leaving other parts out changes nothing in it. */
export const seedFor = (seed: number, part: number): number =>
  (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(part + 1, 0xc2b2ae35)) >>> 0;
