// The table's stream, read by hand, so that the simulation can deliver its records when and as often as it likes.
import { callJson } from '#infra/local/aws-json.ts';
import { presentTableName } from './table-server.ts';

export interface StreamRecord {
  readonly eventID?: string;
  readonly eventName?: string;
  readonly dynamodb?: Readonly<Record<string, unknown>>;
}

export interface TableStream {
  /** Every record of the run so far, in order. */
  readonly records: readonly StreamRecord[];
  /** Records before this one were delivered. */
  readonly position: number;
  /** Reads what is new, at this moment (Unix seconds). */
  refresh(now: number): Promise<void>;
  /** What to deliver: everything new, behind up to `repeated` records of before, as far as the stream still keeps them. */
  take(now: number, repeated: number): readonly StreamRecord[];
}

/** A stream forgets after a day. */
const KEPT_SECONDS = 86_400;

const startOf = async (url: string): Promise<string> => {
  const described = (await callJson(url, 'dynamodb', 'DescribeTable', { TableName: presentTableName() })) as {
    Table: { LatestStreamArn: string };
  };
  const StreamArn = described.Table.LatestStreamArn;
  const stream = (await callJson(url, 'streams', 'DescribeStream', { StreamArn })) as {
    StreamDescription: { Shards: readonly { ShardId: string }[] };
  };
  const ShardId = stream.StreamDescription.Shards[0]?.ShardId ?? '';
  const iterator = await callJson(url, 'streams', 'GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
  return String(iterator['ShardIterator']);
};

interface Page {
  readonly Records: readonly StreamRecord[];
  readonly NextShardIterator?: string;
}

/** Reads from an iterator to the present end. */
const readOn = async (url: string, from: string): Promise<{ records: readonly StreamRecord[]; next: string }> => {
  const records: StreamRecord[] = [];
  let next = from;
  for (let isMore = true; isMore; ) {
    const page = (await callJson(url, 'streams', 'GetRecords', { ShardIterator: next, Limit: 1000 })) as unknown as Page;
    records.push(...page.Records);
    next = page.NextShardIterator ?? next;
    isMore = page.Records.length > 0;
  }
  return { records, next };
};

/** Opens the stream of a table that was just made. */
export const openTableStream = async (url: string): Promise<TableStream> => {
  const records: StreamRecord[] = [];
  const readAt: number[] = [];
  let next = await startOf(url);
  let position = 0;
  return {
    records,
    get position() {
      return position;
    },
    refresh: async (now) => {
      const more = await readOn(url, next);
      next = more.next;
      records.push(...more.records);
      readAt.push(...more.records.map(() => now));
    },
    take: (now, repeated) => {
      const kept = readAt.findIndex((at) => at > now - KEPT_SECONDS);
      const start = Math.max(position - repeated, Math.min(position, kept < 0 ? position : kept));
      position = records.length;
      return records.slice(start);
    },
  };
};
