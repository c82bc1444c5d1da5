// A history: the steps of a run, each with a seed of its own, so that a run without some of them still does the others alike.
import { accountCommands } from './commands/accounts.ts';
import { bondCommands } from './commands/bonds.ts';
import type { Command } from './commands/command.ts';
import { mailCommands } from './commands/mail.ts';
import { moneyCommands } from './commands/money.ts';
import { serviceCommands } from './commands/service.ts';
import { seededRandom, seedFor } from './random.ts';

export const COMMANDS: readonly Command[] = [...mailCommands, ...moneyCommands, ...accountCommands, ...bondCommands, ...serviceCommands];

export interface Step {
  readonly command: Command;
  readonly seed: number;
  /** Runs side by side with the step before it. */
  readonly isTogether: boolean;
  /** Of how many calls one goes wrong; 0 for none. */
  readonly faultOneIn: number;
}

const BAG: readonly Command[] = COMMANDS.flatMap((command) => Array.from({ length: command.weight }, () => command));

/** Calls of most steps are all well; of some, one in a few is not. */
const FAULT_RATES: readonly number[] = [0, 0, 0, 12, 12, 5];

/** The steps that a seed stands for. */
export const historyOf = (seed: number, stepCount: number): Step[] =>
  Array.from({ length: stepCount }, (_, index) => {
    const stepSeed = seedFor(seed, index);
    const random = seededRandom(stepSeed);
    return { command: random.pick(BAG), isTogether: random.chance(0.4), faultOneIn: random.pick(FAULT_RATES), seed: stepSeed };
  });

/** Steps that run side by side, in groups of at most `most`. */
export const groupsOf = (steps: readonly Step[], most: number): Step[][] => {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.isTogether && last && last.length < most) last.push(step);
    else groups.push([step]);
  }
  return groups;
};
