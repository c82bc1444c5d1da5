// Hands the messages of one queue to its function, as Lambda's pollers do: batches, partial failures, deletion on success.
// A message that fails is left alone and comes back when its visibility ends on the moved clock.
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson } from './aws-json.ts';
import { matchesAny } from './event-pattern.ts';
import type { InFlightJournal } from './in-flight-journal.ts';
import type { InvocationResult } from './lambda.ts';
import type { LocalEventSource } from './model.ts';
import { REGION } from './physical-names.ts';
import { asList, asObject, asText, type Json } from './shapes.ts';

/** Lambda starts with five pollers a queue. */
const POLLERS_DEFAULT = 5;
/** SQS gives at most this many messages at a time. */
const RECEIVE_MAX = 10;
/** A long poll ends this soon, so that a stop never waits longer. */
const WAIT_SECONDS = 1;

export type Invoke = (functionId: string, event: unknown, route: string) => Promise<InvocationResult>;

export interface QueueSourceSettings {
  readonly source: LocalEventSource;
  readonly queueName: string;
  /** The queue as fauxqs knows it. */
  readonly queueUrl: string;
  readonly fauxqsUrl: string;
  readonly journal: InFlightJournal;
  readonly invoke: Invoke;
}

export class QueueSource {
  readonly #settings: QueueSourceSettings;
  readonly #pollerCountMax: number;
  readonly #batches = new Set<Promise<void>>();
  #loop: Promise<void> | undefined;
  #isStopping = false;
  #isFilling = false;

  constructor(settings: QueueSourceSettings) {
    this.#settings = settings;
    this.#pollerCountMax = Math.min(settings.source.maximumConcurrency ?? POLLERS_DEFAULT, POLLERS_DEFAULT);
  }

  get queueName(): string {
    return this.#settings.queueName;
  }

  /** Batches that a function is working on, or that are being filled for it. */
  get activeCount(): number {
    return this.#batches.size + (this.#isFilling ? 1 : 0);
  }

  start(): void {
    this.#loop = this.#poll();
  }

  /** Takes no more messages; batches in work are ended by the function runner's own stop. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#loop;
  }

  async #poll(): Promise<void> {
    while (!this.#isStopping) {
      try {
        const messages = await this.#gather();
        if (messages.length > 0) this.#begin(messages);
        this.#isFilling = false;
        if (this.#batches.size >= this.#pollerCountMax) await Promise.race(this.#batches);
      } catch {
        this.#isFilling = false;
        // The emulator is on its way out or not quite up.
        if (!this.#isStopping) await sleep(200);
      }
    }
  }

  #begin(messages: readonly Json[]): void {
    const batch = this.#process(messages)
      // The emulator went away first; the messages become visible again.
      .catch(() => undefined)
      .finally(() => this.#batches.delete(batch));
    this.#batches.add(batch);
  }

  /** One batch: as much as there is, up to the batch size, within the batching window. */
  async #gather(): Promise<readonly Json[]> {
    const { batchSize, batchWindowSeconds } = this.#settings.source;
    const messages = [...(await this.#receive(batchSize, WAIT_SECONDS))];
    this.#isFilling = messages.length > 0;
    const windowEnd = performance.now() + batchWindowSeconds * 1000;
    while (messages.length > 0 && messages.length < batchSize && performance.now() < windowEnd && !this.#isStopping) {
      messages.push(...(await this.#receive(batchSize - messages.length, WAIT_SECONDS)));
    }
    return messages;
  }

  async #receive(count: number, waitSeconds: number): Promise<readonly Json[]> {
    const reply = await callJson(this.#settings.fauxqsUrl, 'sqs', 'ReceiveMessage', {
      QueueUrl: this.#settings.queueUrl,
      MaxNumberOfMessages: Math.min(count, RECEIVE_MAX),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    const messages = asList(reply['Messages']).map(asObject);
    this.#settings.journal.hold(this.#settings.queueName, receiptsOf(messages));
    return messages;
  }

  async #process(messages: readonly Json[]): Promise<void> {
    const { source, invoke, journal, queueName } = this.#settings;
    const records = messages.map((message) => toRecord(message, source.sourceArn));
    const wanted = records.filter((record) => matchesAny(source.filterPatterns, withParsedBody(record)));
    let failedIds: ReadonlySet<string> = new Set();
    if (wanted.length > 0) {
      const result = await invoke(source.functionId, { Records: wanted }, `queue ${queueName}`);
      failedIds = failuresOf(
        result,
        wanted.map((record) => String(record['messageId'])),
        source.reportsPartialFailures,
      );
    }
    // A batch that a stop of the stack cut off stays in the journal, and is handed out again at the next start.
    if (this.#isStopping && failedIds.size > 0) return;
    // What the function filtered out is done as well: Lambda deletes it from the queue.
    const done = messages.filter((message) => !failedIds.has(String(message['MessageId'])));
    await this.#delete(receiptsOf(done));
    journal.release(receiptsOf(messages));
  }

  async #delete(receipts: readonly string[]): Promise<void> {
    for (let from = 0; from < receipts.length; from += RECEIVE_MAX) {
      const entries = receipts.slice(from, from + RECEIVE_MAX).map((receipt, index) => ({ Id: String(index), ReceiptHandle: receipt }));
      await callJson(this.#settings.fauxqsUrl, 'sqs', 'DeleteMessageBatch', { QueueUrl: this.#settings.queueUrl, Entries: entries });
    }
  }
}

const receiptsOf = (messages: readonly Json[]): readonly string[] => messages.map((message) => String(message['ReceiptHandle']));

/** The ids that stay undone: all of them when the function failed, else those it names. */
export function failuresOf(result: InvocationResult, ids: readonly string[], reportsPartialFailures: boolean): ReadonlySet<string> {
  if (result.outcome !== 'done') return new Set(ids);
  if (!reportsPartialFailures) return new Set();
  const reply = asObject(JSON.parse(result.payload));
  const named = asList(reply['batchItemFailures']).map((failure) => asText(asObject(failure)['itemIdentifier']) ?? '');
  // Lambda takes an id that it does not know, or none at all, as a sign that the whole batch failed.
  return named.every((id) => ids.includes(id)) ? new Set(named) : new Set(ids);
}

function toRecord(message: Json, sourceArn: string): Json {
  const attributes = Object.entries(asObject(message['MessageAttributes'])).map(([name, value]) => {
    const given = asObject(value);
    return [
      name,
      {
        ...(given['StringValue'] === undefined ? {} : { stringValue: given['StringValue'] }),
        ...(given['BinaryValue'] === undefined ? {} : { binaryValue: given['BinaryValue'] }),
        stringListValues: [],
        binaryListValues: [],
        dataType: given['DataType'],
      },
    ] as const;
  });
  return {
    messageId: message['MessageId'],
    receiptHandle: message['ReceiptHandle'],
    body: message['Body'],
    attributes: asObject(message['Attributes']),
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message['MD5OfBody'],
    eventSource: 'aws:sqs',
    eventSourceARN: sourceArn,
    awsRegion: REGION,
  };
}

/** Patterns look into a body that is JSON. */
function withParsedBody(record: Json): Json {
  try {
    return { ...record, body: JSON.parse(String(record['body'])) as unknown };
  } catch {
    return record;
  }
}
