// Takes over legacy bonds. Woken by nothing: the operator invokes it, with `npm run import` or by hand, and reads the reply.
import { openAccounts, openHandles } from '#adapters/dynamo/account-store.ts';
import { openBonds } from '#adapters/dynamo/bond-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { importBond } from '#domain/attention/import-bond.ts';
import type { Failure } from '#domain/errors.ts';
import { parseImport, parseLegacyBond } from '#events/bond-import.ts';
import { logger } from '#runtime/logger.ts';
import { readConfig } from '#runtime/config.ts';

const table = openTable(readConfig().tableName);
const ports = {
  accounts: openAccounts(table),
  handles: openHandles(table),
  bonds: openBonds(table),
  mailboxes: openMailboxes(table),
  committer: openCommitter(table),
};

interface ImportReport {
  imported: number;
  /** Bonds that were here before, unchanged. */
  existing: number;
  /** `index` counts from 0 in the list that was sent. */
  readonly refused: { readonly index: number; readonly error: string }[];
}

const reasonOf = ({ code, detail }: Failure): string =>
  detail.message ?? (detail.resource === undefined ? code : `${detail.resource} not found`);

export const handler = async (event: unknown): Promise<ImportReport> => {
  const report: ImportReport = { imported: 0, existing: 0, refused: [] };
  for (const [index, value] of parseImport(event).entries()) {
    const line = parseLegacyBond(value);
    const result = line.ok ? await importBond(ports, line.value) : line;
    if (result.ok) report[result.value] += 1;
    else report.refused.push({ index, error: reasonOf(result) });
  }
  logger.info('bonds imported', { imported: report.imported, existing: report.existing, refused: report.refused.length });
  return report;
};
