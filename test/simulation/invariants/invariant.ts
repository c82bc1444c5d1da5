// What an invariant is: looks at a snapshot and the promises of the world, and tells what is wrong.
import type { Snapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';

export type Invariant = (snapshot: Snapshot, world: World) => readonly string[];

export const sumOf = (rows: readonly { readonly amount: bigint }[]): bigint => rows.reduce((sum, { amount }) => sum + amount, 0n);

export const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};
