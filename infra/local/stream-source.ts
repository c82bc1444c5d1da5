// Hands the changes of one table to a function, in order, and remembers after each success how far it came, so that
// nothing is lost over a kill (at least once). Retries, bisection and the on-failure queue follow Lambda.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson, EmulatorError } from './aws-json.ts';
import { matchesAny } from './event-pattern.ts';
import { failuresOf, type Invoke } from './queue-source.ts';
import type { InvocationResult } from './lambda.ts';
import type { LocalEventSource, LocalTable } from './model.ts';
import { REGION } from './physical-names.ts';
import { asList, asObject, asText, asTexts, type Json } from './shapes.ts';

/** Pauses between looks at a quiet stream, and between tries of a failing batch. */
const IDLE_MS = 100;
const RETRY_MS_FIRST = 100;
const RETRY_MS_MAX = 5_000;

export interface StreamSourceSettings {
  readonly source: LocalEventSource;
  readonly table: LocalTable;
  readonly tablesUrl: string;
  readonly checkpointFile: string;
  readonly invoke: Invoke;
  /** Marks removals that the TTL sweep made. */
  readonly isTimeToLiveRemoval: (record: Json) => boolean;
  /** Sends to the on-failure destination, a queue or topic by ARN. */
  readonly sendFailure: (destinationArn: string, message: Json) => Promise<void>;
  readonly nowMs: () => number;
}

export class StreamSource {
  readonly #settings: StreamSourceSettings;
  /** Sequence number of the last record that is done, by shard. */
  #positions: Record<string, string>;
  readonly #iterators = new Map<string, string>();
  #streamArn = '';
  #loop: Promise<void> | undefined;
  #isStopping = false;
  #emptyLookCount = 0;
  #wake: (() => void) | undefined;

  constructor(settings: StreamSourceSettings) {
    this.#settings = settings;
    const file = settings.checkpointFile;
    mkdirSync(dirname(file), { recursive: true });
    this.#positions = existsSync(file) ? { ...asTexts(JSON.parse(readFileSync(file, 'utf8'))) } : {};
  }

  start(): void {
    this.#loop = this.#poll();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.nudge();
    await this.#loop;
  }

  /** Ends the present pause: there may be something new. */
  nudge(): void {
    this.#wake?.();
  }

  /** Resolves once a look at the stream that began after this call found it empty, or when the caller's time is over. */
  async whenDrained(isOver: () => boolean): Promise<void> {
    // The look in progress may have begun before the last write; the one after it cannot have.
    const wanted = this.#emptyLookCount + 2;
    while (!this.#isStopping && !isOver() && this.#emptyLookCount < wanted) {
      this.nudge();
      await sleep(5);
    }
  }

  async #poll(): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (await this.#look()) continue;
        this.#emptyLookCount += 1;
        await this.#pause();
      } catch (error) {
        this.#iterators.clear();
        if (!this.#isStopping) await sleep(error instanceof EmulatorError ? RETRY_MS_FIRST : IDLE_MS);
      }
    }
  }

  async #look(): Promise<boolean> {
    let found = false;
    for (const shard of await this.#shards()) {
      const records = await this.#read(shard);
      if (records.length === 0) continue;
      found = true;
      await this.#handle(shard, records);
    }
    return found;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #shards(): Promise<readonly string[]> {
    if (this.#iterators.size > 0) return [...this.#iterators.keys()];
    const { table, tablesUrl } = this.#settings;
    const described = asObject((await callJson(tablesUrl, 'dynamodb', 'DescribeTable', { TableName: table.name }))['Table']);
    this.#streamArn = asText(described['LatestStreamArn']) ?? '';
    const stream = asObject((await callJson(tablesUrl, 'streams', 'DescribeStream', { StreamArn: this.#streamArn }))['StreamDescription']);
    return asList(stream['Shards']).map((shard) => asText(asObject(shard)['ShardId']) ?? '');
  }

  async #read(shard: string): Promise<readonly Json[]> {
    const iterator = this.#iterators.get(shard) ?? (await this.#iteratorFor(shard));
    const reply = await callJson(this.#settings.tablesUrl, 'streams', 'GetRecords', {
      ShardIterator: iterator,
      Limit: this.#settings.source.batchSize,
    });
    const next = asText(reply['NextShardIterator']);
    if (next === undefined) this.#iterators.delete(shard);
    else this.#iterators.set(shard, next);
    return asList(reply['Records']).map((record) => this.#toRecord(asObject(record)));
  }

  async #iteratorFor(shard: string): Promise<string> {
    const position = this.#positions[shard];
    const from =
      position === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position };
    const input = { StreamArn: this.#streamArn, ShardId: shard, ...from };
    return asText((await callJson(this.#settings.tablesUrl, 'streams', 'GetShardIterator', input))['ShardIterator']) ?? '';
  }

  /** What the emulator leaves out or names after itself becomes what Lambda shows. */
  #toRecord(record: Json): Json {
    const change = asObject(record['dynamodb']);
    const created = change['ApproximateCreationDateTime'];
    return {
      ...record,
      awsRegion: REGION,
      eventSourceARN: this.#settings.source.sourceArn,
      dynamodb: { ...change, ApproximateCreationDateTime: typeof created === 'string' ? Date.parse(created) / 1000 : created },
      ...(this.#settings.isTimeToLiveRemoval(record) ? { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } } : {}),
    };
  }

  async #handle(shard: string, records: readonly Json[]): Promise<void> {
    const wanted = records.filter((record) => matchesAny(this.#settings.source.filterPatterns, record));
    const isDone = wanted.length === 0 || (await this.#deliver(shard, wanted, 0));
    const last = records.at(-1);
    if (isDone && last) this.#checkpoint(shard, last);
    // The next look starts again behind what is done.
    if (!isDone) this.#iterators.clear();
  }

  /** Whether the records are done with: handled, or given up on as the source's settings say. */
  async #deliver(shard: string, records: readonly Json[], triesSoFar: number): Promise<boolean> {
    const { source, table, invoke } = this.#settings;
    let left = records;
    for (let tries = triesSoFar; ; tries += 1) {
      if (this.#isStopping) return false;
      const result = await invoke(source.functionId, { Records: left }, `stream ${table.name}`);
      const undone = this.#firstUndone(result, left);
      if (undone < 0) return true;
      const before = undone > 0 ? left[undone - 1] : undefined;
      if (before) this.#checkpoint(shard, before);
      left = left.slice(undone);
      if (source.maximumRetryAttempts !== undefined && tries >= source.maximumRetryAttempts) return this.#giveUp(left, result, tries + 1);
      await sleep(Math.min(RETRY_MS_FIRST * 2 ** tries, RETRY_MS_MAX));
      if (source.bisectOnError && left.length > 1) {
        const middle = Math.ceil(left.length / 2);
        return (await this.#deliver(shard, left.slice(0, middle), tries + 1)) && this.#deliver(shard, left.slice(middle), tries + 1);
      }
    }
  }

  /** Index of the first record that has to be tried again; -1 when there is none. */
  #firstUndone(result: InvocationResult, records: readonly Json[]): number {
    const ids = records.map(sequenceNumberOf);
    const failed = failuresOf(result, ids, this.#settings.source.reportsPartialFailures);
    return ids.findIndex((id) => failed.has(id));
  }

  async #giveUp(records: readonly Json[], result: InvocationResult, tries: number): Promise<boolean> {
    const { source, table, sendFailure, nowMs } = this.#settings;
    const [first, last] = [records[0], records.at(-1)];
    if (source.onFailureArn !== undefined && first && last) {
      await sendFailure(source.onFailureArn, {
        requestContext: { functionArn: source.functionId, condition: 'RetryAttemptsExhausted', approximateInvokeCount: tries },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: result.outcome === 'done' ? null : 'Unhandled' },
        version: '1.0',
        timestamp: new Date(nowMs()).toISOString(),
        DDBStreamBatchInfo: {
          shardId: 'local',
          startSequenceNumber: sequenceNumberOf(first),
          endSequenceNumber: sequenceNumberOf(last),
          batchSize: records.length,
          streamArn: table.streamArn,
        },
      });
    }
    return true;
  }

  #checkpoint(shard: string, record: Json): void {
    this.#positions = { ...this.#positions, [shard]: sequenceNumberOf(record) };
    const file = this.#settings.checkpointFile;
    writeFileSync(`${file}.new`, JSON.stringify(this.#positions));
    renameSync(`${file}.new`, file);
  }
}

const sequenceNumberOf = (record: Json): string => asText(asObject(record['dynamodb'])['SequenceNumber']) ?? '';
