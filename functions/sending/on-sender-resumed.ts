// Lets a sender that the breaker stopped write to the outside again. Woken by nothing: the operator invokes it, with
// `npm run resume` or by hand, and reads the reply.
import * as z from 'zod';
import { openAccounts, openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openStandings } from '#adapters/dynamo/mail-area-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { resumeSender } from '#domain/mail/resume-sender.ts';
import { logger } from '#runtime/logger.ts';
import { readConfig } from '#runtime/config.ts';

const table = openTable(readConfig().tableName);
const ports = {
  accounts: openAccounts(table),
  handles: openHandles(table),
  standings: openStandings(table),
  committer: openCommitter(table),
};

/** A handle or a wallet. */
const Request = z.strictObject({ sender: z.string().min(1).max(255).toLowerCase() });

export const handler = async (event: unknown): Promise<Record<string, unknown>> => {
  const { sender } = Request.parse(event);
  const resumed = await resumeSender(ports, sender);
  if (!resumed.ok) return { error: `${sender}: ${resumed.code}` };
  const { wallet, wasPaused } = resumed.value;
  logger.info('a sender was resumed', { wallet, wasPaused });
  return { wallet, was_paused: wasPaused };
};
