// Many runs as batches in processes of their own: a table server that lives through hundreds of runs grows slow, since it
// keeps the streams of deleted tables, and two batches at a time use two cores.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Runs that one process plays. */
export const BATCH_RUNS = 25;

export interface Batches {
  readonly firstSeed: number;
  readonly runCount: number;
  readonly stepCount: number;
  readonly shrinkTries: number;
  readonly say: (line: string) => void;
}

interface Batch {
  readonly seed: number;
  readonly runs: number;
}

const batchesOf = ({ firstSeed, runCount }: Batches): Batch[] =>
  Array.from({ length: Math.ceil(runCount / BATCH_RUNS) }, (_, index) => ({
    seed: firstSeed + index * BATCH_RUNS,
    runs: Math.min(BATCH_RUNS, runCount - index * BATCH_RUNS),
  }));

/** Plays one batch; its words are passed on only when it failed. */
const play = ({ stepCount, shrinkTries, say }: Batches, { seed, runs }: Batch): Promise<boolean> =>
  new Promise((resolve) => {
    const settings = { seed, runs, steps: stepCount, shrinks: shrinkTries };
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn(process.execPath, [process.argv[1] ?? '', ...words, '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('close', (code) => {
      if (code !== 0) say(Buffer.concat(chunks).toString().trimEnd());
      resolve(code === 0);
    });
  });

/** Plays all batches, two at a time where there are two cores; no new one begins after a failure. */
export const playBatches = async (batches: Batches): Promise<boolean> => {
  const { firstSeed, runCount, stepCount, say } = batches;
  const waiting = batchesOf(batches);
  const startedAt = performance.now();
  const took = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  let hold = true;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch && hold; batch = waiting.shift()) {
      hold = (await play(batches, batch)) && hold;
      done += batch.runs;
      if (hold) say(`${done} of ${runCount} runs, ${took()}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  if (hold) say(`${runCount} runs of ${stepCount} steps from seed ${firstSeed}: every invariant held (${took()})`);
  return hold;
};
