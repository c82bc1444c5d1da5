// The tail of name events: where it starts, how it narrows a range that a provider refuses, and what overlapping runs do.
import { describe, expect, it } from 'vitest';
import { tailNames } from '#domain/identity/tail-names.ts';
import type { NameEvents } from '#domain/ports/names.ts';

const NOTHING: NameEvents = { registered: [], transfers: [] };

/** A chain of `head` blocks whose node answers at most `widest` of them at once, and a store that remembers its place. */
const world = (options: { head: number; widest?: number; place?: number; rival?: boolean }) => {
  const read: [number, number][] = [];
  let place = options.place;
  return {
    read,
    place: () => place,
    ports: {
      nameEvents: {
        head: async () => options.head,
        read: async (first: number, last: number): Promise<NameEvents | 'unavailable'> => {
          if (last - first + 1 > (options.widest ?? Number.MAX_SAFE_INTEGER)) return 'unavailable';
          read.push([first, last]);
          return NOTHING;
        },
      },
      nameEventStore: {
        nextBlock: async () => place,
        record: async () => undefined,
        advance: async (from: number | undefined, block: number) => {
          if (options.rival === true || from !== place) return false;
          place = block;
          return true;
        },
      },
    },
  };
};

const always = () => true;

describe('the tail', () => {
  it('reads from the start block to the head in ranges that lie side by side', async () => {
    const chain = world({ head: 4500 });
    expect(await tailNames(chain.ports, 100, always)).toBe(4401);
    expect(chain.read).toEqual([
      [100, 2099],
      [2100, 4099],
      [4100, 4500],
    ]);
    expect(chain.place()).toBe(4501);
  });

  it('looks at the last blocks again, as a reorganisation may have changed them', async () => {
    const chain = world({ head: 1010, place: 1001 });
    await tailNames(chain.ports, 0, always);
    expect(chain.read).toEqual([[981, 1010]]);
    expect(chain.place()).toBe(1011);
  });

  it('narrows a range that the provider refuses', async () => {
    const chain = world({ head: 1199, widest: 600 });
    await tailNames(chain.ports, 0, always);
    expect(chain.read).toEqual([
      [0, 499],
      [500, 999],
      [1000, 1199],
    ]);
  });

  it('gives up where even a small range is refused, and keeps its place', async () => {
    const chain = world({ head: 1000, widest: 10, place: 40 });
    expect(await tailNames(chain.ports, 0, always)).toBe(0);
    expect(chain.place()).toBe(40);
  });

  it('leaves to the next run what it has no time for', async () => {
    const chain = world({ head: 100_000 });
    await tailNames(chain.ports, 0, () => chain.read.length < 2);
    expect(chain.place()).toBe(4000);
  });

  it('ends when another run has gone on from the same place', async () => {
    const chain = world({ head: 10_000, rival: true });
    expect(await tailNames(chain.ports, 0, always)).toBe(0);
    expect(chain.read).toHaveLength(1);
  });

  it('does nothing before its start block, and nothing when the chain does not answer', async () => {
    const chain = world({ head: 5 });
    expect(await tailNames(chain.ports, 17_000_000, always)).toBe(0);
    const silent = { ...chain.ports, nameEvents: { ...chain.ports.nameEvents, head: async () => 'unavailable' as const } };
    expect(await tailNames(silent, 0, always)).toBe(0);
  });
});
