// `npm run check`: everything that can be said about the code without running the service, two steps at a time.
// `--static` leaves out the tests among them, for `npm test`, which runs all tests afterwards.
import { spawn } from 'node:child_process';
import { ROOT } from '#infra/inventory.ts';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly isTest?: boolean;
}

const STEPS: readonly Step[] = [
  { name: 'types', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'format and lint', command: ['biome', 'check', '.', '--max-diagnostics=40'] },
  { name: 'contract', command: ['npm', 'run', '--silent', 'contract'] },
  { name: 'dependencies', command: ['depcruise', '--config', '.dependency-cruiser.mjs', 'infra', 'functions', 'layers'] },
  { name: 'synth and security rules', command: ['cdk', 'synth', '--quiet', '--no-notices', '--output', '.build/checked'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
  { name: 'tidy', command: ['node', 'infra/checks/tidy.ts'] },
  { name: 'budgets', command: ['node', 'infra/checks/budgets.ts'] },
  { name: 'infrastructure tests', command: ['vitest', 'run', '--project', 'infra'], isTest: true },
];

/** More would fight for the two cores that a small machine has. */
const CONCURRENT_STEPS = 2;

interface Verdict {
  readonly isGood: boolean;
  readonly output: string;
  readonly tookSeconds: number;
}

const run = ({ command: [program, ...rest] }: Step): Promise<Verdict> =>
  new Promise((resolve) => {
    const startedMs = performance.now();
    const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', CDK_DISABLE_CLI_TELEMETRY: 'true', NO_COLOR: '1' };
    const child = spawn(program, rest, { cwd: ROOT, env: environment, shell: process.platform === 'win32' });
    const chunks: Buffer[] = [];
    const finish = (isGood: boolean): void =>
      resolve({ isGood, output: Buffer.concat(chunks).toString(), tookSeconds: (performance.now() - startedMs) / 1000 });
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => {
      chunks.push(Buffer.from(`${program}: ${error.message}\n`));
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
  });

const report = (step: Step, verdict: Verdict): void => {
  process.stdout.write(`${verdict.isGood ? 'ok  ' : 'FAIL'}  ${step.name.padEnd(26)} ${verdict.tookSeconds.toFixed(1)} s\n`);
  if (!verdict.isGood) process.stdout.write(`${verdict.output.trimEnd()}\n\n`);
};

async function main(): Promise<void> {
  const waiting = STEPS.filter((step) => !(step.isTest && process.argv.includes('--static')));
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const verdict = await run(step);
      report(step, verdict);
      if (!verdict.isGood) failed.push(step.name);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_STEPS }, work));
  process.stdout.write(failed.length === 0 ? 'check: all good\n' : `check: failed at ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

await main();
