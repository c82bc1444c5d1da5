// Lets a sender that the breaker stopped write to the outside again. Woken by nothing: the operator invokes it, with
// `npm run resume` or by hand, and reads the reply.
import { openAccounts, openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openStandings } from '#adapters/dynamo/mail-area-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { resumeSender } from '#domain/mail/resume-sender.ts';
import { parseSenderResume } from '#events/sender-resume.ts';
import { logger } from '#runtime/logger.ts';
import { readConfig } from '#runtime/config.ts';

const table = openTable(readConfig().tableName);
const ports = {
  accounts: openAccounts(table),
  handles: openHandles(table),
  standings: openStandings(table),
  committer: openCommitter(table),
};

export const handler = async (event: unknown): Promise<Record<string, unknown>> => {
  const sender = parseSenderResume(event);
  const resumed = await resumeSender(ports, sender);
  if (!resumed.ok) return { error: `${sender}: ${resumed.code}` };
  const { wallet, wasPaused } = resumed.value;
  logger.info('a sender was resumed', { wallet, wasPaused });
  return { wallet, was_paused: wasPaused };
};
