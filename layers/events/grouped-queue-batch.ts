// SQS batches whose messages belong together in groups: each group runs by itself, and only what failed comes again.
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { logFault } from '#runtime/logger.ts';

interface Member<T> {
  readonly record: SQSRecord;
  readonly job: T;
}

/** Groups what can be parsed; the rest is named, so that it ends in the dead-letter queue. */
const sort = <T>(records: readonly SQSRecord[], parse: (body: string) => T, keyOf: (job: T) => string) => {
  const groups = new Map<string, Member<T>[]>();
  const unreadable: SQSRecord[] = [];
  for (const record of records) {
    try {
      const job = parse(record.body);
      const key = keyOf(job);
      groups.set(key, [...(groups.get(key) ?? []), { record, job }]);
    } catch (error) {
      logFault('a queue message cannot be read', error, { messageId: record.messageId });
      unreadable.push(record);
    }
  }
  return { groups: [...groups.values()], unreadable };
};

const runGroup = async <T>(
  members: readonly Member<T>[],
  work: (jobs: readonly T[]) => Promise<readonly T[]>,
): Promise<readonly SQSRecord[]> => {
  try {
    const failed = new Set(await work(members.map(({ job }) => job)));
    return members.filter(({ job }) => failed.has(job)).map(({ record }) => record);
  } catch (error) {
    logFault('a group of queue messages failed', error, { messageId: members[0]?.record.messageId });
    return members.map(({ record }) => record);
  }
};

/** Handles a batch group by group, all at once; `work` gets the jobs of one group and gives those that have to come again. */
export const groupedQueueHandler =
  <T>(parse: (body: string) => T, keyOf: (job: T) => string, work: (jobs: readonly T[]) => Promise<readonly T[]>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const { groups, unreadable } = sort(event.Records, parse, keyOf);
    const failed = await Promise.all(groups.map((members) => runGroup(members, work)));
    return { batchItemFailures: [...unreadable, ...failed.flat()].map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
