// The simulator: `node test/simulation/main.ts --seed 1 --runs 500 --steps 50`. Plays histories of seeded chance against
// the functions and a real table, and stops at the first that breaks an invariant, with its seed and the shortest history
// that still does. Run N of a seed is run 0 of seed + N.
import { parseArgs } from 'node:util';
import { BATCH_RUNS, playBatches } from './batches.ts';
import type { Cloud } from './world/cloud.ts';
import { emptyCloud } from './world/cloud.ts';
import { intercept } from './world/interception.ts';
import { startTableServer } from './world/table-server.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '20' },
    steps: { type: 'string', default: '50' },
    shrinks: { type: 'string', default: '150' },
    quiet: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
});

const [seed, runs, steps, shrinks] = [values.seed, values.runs, values.steps, values.shrinks].map(Number);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let cloud = emptyCloud();
intercept(() => cloud);
const useCloud = (next: Cloud): void => {
  cloud = next;
};

const simulate = async (firstSeed: number, runCount: number, stepCount: number, shrinkTries: number): Promise<boolean> => {
  const server = await startTableServer();
  try {
    // Loaded now, behind the interception.
    const { loadFunctions } = await import('./world/functions.ts');
    const functions = await loadFunctions(server.url);
    const { simulateRuns } = await import('./simulate.ts');
    return await simulateRuns(
      { functions, server, useCloud },
      { firstSeed, runCount, stepCount, shrinkTries, say, isQuiet: values.quiet, isTraced: values.trace },
    );
  } finally {
    await server.stop();
  }
};

if ([seed, runs, steps, shrinks].some((value) => value === undefined || !Number.isInteger(value))) {
  say('--seed, --runs, --steps and --shrinks are whole numbers');
  process.exitCode = 2;
} else if ((runs ?? 0) > BATCH_RUNS && !values.trace) {
  const batches = { firstSeed: seed ?? 1, runCount: runs ?? 20, stepCount: steps ?? 50, shrinkTries: shrinks ?? 150, say };
  process.exitCode = (await playBatches(batches)) ? 0 : 1;
} else {
  process.exitCode = (await simulate(seed ?? 1, runs ?? 20, steps ?? 50, shrinks ?? 150)) ? 0 : 1;
}
process.exit();
