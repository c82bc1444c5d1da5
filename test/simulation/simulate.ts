// Plays run after run, and tells what came of it.
import { historyOf, type Step } from './history.ts';
import { type RunResult, runHistory, type Stage } from './run.ts';
import { shrink } from './shrink.ts';

export interface Simulation {
  readonly firstSeed: number;
  readonly runCount: number;
  readonly stepCount: number;
  /** How many shorter histories are tried after a failure; 0 for none. */
  readonly shrinkTries: number;
  readonly isQuiet: boolean;
  readonly isTraced: boolean;
  readonly say: (line: string) => void;
}

/** Every how many runs the simulation says how far it is. */
const REPORT_EVERY = 50;

/** The words of a violation without the ids in it, which differ from history to history. */
const kindOf = (violation: string): string => violation.replace(/0x[0-9a-f]+|[0-9a-z]{20,}|\d+/g, '#').slice(0, 60);

const reportFailure = async (
  stage: Stage,
  { stepCount, shrinkTries, say }: Simulation,
  seed: number,
  steps: readonly Step[],
  first: RunResult,
): Promise<void> => {
  say(`seed ${seed} breaks ${first.violations.length} invariants in ${steps.length} steps:`);
  for (const violation of first.violations.slice(0, 8)) say(`  ${violation}`);
  say(`Again: npm run simulate -- --seed ${seed} --runs 1 --steps ${stepCount}`);
  if (shrinkTries === 0) return;
  const kinds = new Set(first.violations.map(kindOf));
  let last = first;
  const fails = async (candidate: readonly Step[]): Promise<boolean> => {
    const result = await runHistory(stage, candidate);
    const isSame = result.violations.some((violation) => kinds.has(kindOf(violation)));
    if (isSame) last = result;
    return isSame;
  };
  const shortest = await shrink(steps, fails, shrinkTries);
  say(`The shortest history that still fails has ${shortest.length} steps (${shortest.map(({ command }) => command.name).join(', ')}):`);
  for (const line of last.lines) say(line);
  for (const violation of last.violations.slice(0, 8)) say(`✗ ${violation}`);
};

/** @returns whether every run kept every invariant. */
export const simulateRuns = async (stage: Stage, simulation: Simulation): Promise<boolean> => {
  const { firstSeed, runCount, stepCount, say, isQuiet, isTraced } = simulation;
  const startedAt = performance.now();
  for (let run = 0; run < runCount; run += 1) {
    const seed = firstSeed + run;
    const steps = historyOf(seed, stepCount);
    const result = await runHistory(stage, steps);
    if (isTraced) for (const line of result.lines) say(line);
    if (result.violations.length > 0) {
      await reportFailure(stage, simulation, seed, steps, result);
      return false;
    }
    if (!isQuiet && (run + 1) % REPORT_EVERY === 0) say(`${run + 1} runs, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  say(
    `${runCount} runs of ${stepCount} steps from seed ${firstSeed}: every invariant held (${Math.round((performance.now() - startedAt) / 1000)} s)`,
  );
  return true;
};
