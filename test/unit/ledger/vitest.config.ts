// The ledger's own tests alone, for the mutation run.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/unit/ledger/**/*.test.ts'], environment: 'node' } });
