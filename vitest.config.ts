// One project per kind of test; `vitest run --project unit` runs one of them.
import { defineConfig } from 'vitest/config';

const seconds = (count: number): number => count * 1000;

/** The simulator plays whole runs in one test. */
const testSeconds = (name: string): number => (name === 'simulation' ? 240 : WHOLE_STACK.includes(name) ? 60 : 30);

/** Kinds that start a local stack: their files run one at a time, after everything else, and wait longer. */
const WHOLE_STACK = ['integration', 'e2e'];

const project = (name: string, index: number) => {
  const isWhole = WHOLE_STACK.includes(name);
  return {
    extends: true as const,
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      environment: 'node' as const,
      testTimeout: seconds(testSeconds(name)),
      hookTimeout: seconds(isWhole ? 120 : 60),
      // The construct library takes seconds to load; its tests only read what they synthesise, so they may share it.
      isolate: name !== 'infra',
      fileParallelism: !isWhole,
      maxWorkers: isWhole ? 1 : 2,
      sequence: { groupOrder: isWhole ? 1 + index : 0 },
    },
  };
};

export default defineConfig({
  test: {
    passWithNoTests: true,
    maxWorkers: 2,
    pool: 'forks',
    projects: ['unit', 'property', 'contract', 'infra', 'simulation', ...WHOLE_STACK].map(project),
    coverage: {
      provider: 'v8',
      reportsDirectory: 'coverage',
      include: ['layers/domain/**/*.ts'],
      // Money: no line of it may go untried.
      thresholds: { 'layers/domain/ledger/**/*.ts': { lines: 100, branches: 100, functions: 100, statements: 100 } },
    },
  },
});
