// What a command is: something that an agent, a schedule or the provider does, chosen and filled in by chance.
import type { Random } from '../random.ts';
import type { World } from '../world/world.ts';

/** What came of one try. `again`: it may and will be repeated just as it was. */
export type Verdict = { readonly is: 'over' } | { readonly is: 'again'; readonly afterSeconds: number };

export const OVER: Verdict = { is: 'over' };
export const again = (afterSeconds = 1): Verdict => ({ is: 'again', afterSeconds });

/** One thing to do. It is run until it is over, but a death ends what cannot be repeated. */
export interface Deed {
  readonly label: string;
  /** Whether whoever does it tries again after a death; functions that AWS invokes always are, and requests with a key. */
  readonly isRepeated: boolean;
  /** Runs as one operation. @returns what came of it, noted in the world. */
  run(): Promise<Verdict>;
}

export interface Command {
  readonly name: string;
  /** How often it is chosen, against the others. */
  readonly weight: number;
  /** Chooses what to do from the world as it stands, several things at once if need be; undefined when there is nothing to do it to. */
  choose(world: World, random: Random): Promise<Deed | readonly Deed[] | undefined>;
}
