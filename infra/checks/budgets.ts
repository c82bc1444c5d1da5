// `npm run budgets`: builds, prints what each function weighs, and fails above the limits. A bundle's size is most of
// its cold start, and it grows by one careless import.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildBundles } from '#infra/build.ts';
import { BundleError, type BundleReport } from '#infra/bundle.ts';

const KB = 1000;

/** Limits of one bundle in KB, minified; `read-only` is that of every function without a line of its own. */
const BUNDLE_LIMITS_KB: Readonly<Record<string, number>> = {
  'mailbox-http': 520,
  'auth-http': 620,
  'registration-http': 620,
  'sending-http': 800,
  'on-mail-received': 1700,
};
const READ_ONLY_LIMIT_KB = 400;

interface BudgetRow {
  readonly subject: string;
  readonly value: number;
  readonly limit: number | undefined;
  readonly unit: string;
  readonly note: string;
}

const bundleRows = (report: BundleReport): readonly BudgetRow[] =>
  Object.entries(report.functionBytes).map(([name, bytes]) => ({
    subject: `bundle ${name}`,
    value: bytes / KB,
    limit: BUNDLE_LIMITS_KB[name] ?? READ_ONLY_LIMIT_KB,
    unit: 'KB',
    note: `${(gzipSync(readFileSync(join(report.functionsDir, name, 'index.js'))).length / KB).toFixed(0)} KB compressed`,
  }));

/** What loads on first use has no limit: it costs only the calls that need it. */
const lazyRows = (report: BundleReport): readonly BudgetRow[] =>
  Object.entries(report.lazyBytes).map(([name, bytes]) => ({
    subject: `lazy ${name}`,
    value: bytes / KB,
    limit: undefined,
    unit: 'KB',
    note: 'on first use',
  }));

const isOver = (row: BudgetRow): boolean => row.limit !== undefined && row.value > row.limit;

const line = (row: BudgetRow): string => {
  const limit = row.limit === undefined ? '' : `of ${row.limit}`;
  return `${isOver(row) ? 'OVER' : 'ok  '}  ${row.subject.padEnd(40)} ${row.value.toFixed(0).padStart(7)} ${limit.padEnd(8)} ${row.unit}  ${row.note}\n`;
};

async function main(): Promise<void> {
  const report = await buildBundles();
  // Each kind of budget adds its rows here.
  const rows: readonly BudgetRow[] = [...bundleRows(report), ...lazyRows(report)];
  for (const row of rows) process.stdout.write(line(row));
  const over = rows.filter(isOver);
  process.stdout.write(
    over.length === 0 ? `budgets: all ${rows.length} within their limits\n` : `budgets: ${over.length} over their limit\n`,
  );
  process.exitCode = over.length === 0 ? 0 : 1;
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof BundleError ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
});
