// Goes on marking mail read where a request ran out of time; what does not fit one run comes again as a message.
import { openAccounts } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openUnfinishedQueue, readMarking } from '#adapters/sqs/unfinished-queue.ts';
import { type Marking, markFolderRead, markIdsRead } from '#domain/mail/mark-read.ts';
import type { UnfinishedMarking } from '#domain/ports/mail.ts';
import { queueHandler } from '#events/queue-batch.ts';
import { systemClock } from '#runtime/clock.ts';
import { readConfig, required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';

const table = openTable(readConfig().tableName);
const accounts = openAccounts(table);
const ports = { accounts, mailboxes: openMailboxes(table), committer: openCommitter(table), ids: systemIds };
const unfinished = openUnfinishedQueue(required('UNFINISHED_QUEUE_URL'));

/** The function has 60 seconds; the last transaction may have to be repeated. */
const RUN_MS = 45_000;

const goOn = async (marking: UnfinishedMarking, run: Marking): Promise<UnfinishedMarking | undefined> => {
  if (marking.kind === 'folder') return (await markFolderRead(ports, run, marking.folder, marking.upTo)) ? undefined : marking;
  const left = await markIdsRead(ports, run, marking.ids);
  return left.length === 0 ? undefined : { ...marking, ids: left };
};

export const handler = queueHandler(async (record) => {
  const marking = readMarking(record.body);
  const owner = await accounts.byWallet(marking.wallet, { strong: true });
  if (!owner) return;
  const deadline = Date.now() + RUN_MS;
  const rest = await goOn(marking, { owner, now: systemClock.nowSeconds(), hasTime: () => Date.now() < deadline });
  if (rest) await unfinished.put(rest);
});
