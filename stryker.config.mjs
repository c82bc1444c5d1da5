// Mutation run over the ledger: `npm run mutation`. Each line of it is changed in turn, and a test has to notice.

export default {
  mutate: ['layers/domain/ledger/**/*.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/unit/ledger/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  concurrency: 2,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: '.build/mutation',
  ignorePatterns: ['.build', '.local', 'cdk.out', 'coverage', 'infra', 'functions', 'layers/adapters', 'layers/http', 'layers/evm-runtime'],
  // Money: a change of it that no test notices is a hole.
  thresholds: { high: 100, low: 95, break: 95 },
};
