// Everything that wakes functions without a request: the queues and streams of the template, and time to live.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson, EmulatorError } from './aws-json.ts';
import type { RunningFauxqs } from './fauxqs.ts';
import { InFlightJournal } from './in-flight-journal.ts';
import type { Assembly, Clock, LocalEventSource } from './model.ts';
import { type Invoke, QueueSource } from './queue-source.ts';
import type { Json } from './shapes.ts';
import { StreamSource } from './stream-source.ts';
import { TimeToLive } from './time-to-live.ts';

export interface EventSourcesSettings {
  readonly assembly: Assembly;
  readonly clock: Clock;
  readonly fauxqs: RunningFauxqs;
  readonly tablesUrl: string;
  /** Checkpoints and journals live here. */
  readonly dataDir: string;
  readonly invoke: Invoke;
}

export interface QueueState {
  readonly name: string;
  readonly ready: number;
  readonly delayed: number;
  readonly in_flight: number;
  readonly is_dead_letter_queue: boolean;
}

export class EventSources {
  readonly #settings: EventSourcesSettings;
  readonly #journal: InFlightJournal;
  readonly #timeToLive: TimeToLive;
  readonly #queues: readonly QueueSource[];
  readonly #streams: readonly StreamSource[];
  /** When the messages of a killed stack are visible again, on the machine's monotonic clock. */
  #handedBackAtMs = 0;

  constructor(settings: EventSourcesSettings) {
    const { assembly, clock, tablesUrl, dataDir } = settings;
    this.#settings = settings;
    this.#journal = new InFlightJournal(join(dataDir, 'in-flight.log'));
    this.#timeToLive = new TimeToLive({ tables: assembly.tables, tablesUrl, clock, journalFile: join(dataDir, 'ttl-removals.log') });
    this.#queues = assembly.eventSources.filter((source) => source.kind === 'queue').map((source) => this.#queueSource(source));
    this.#streams = assembly.eventSources.filter((source) => source.kind === 'stream').map((source) => this.#streamSource(source));
  }

  /** Hands out again what a killed stack was working on, then starts all pollers. */
  async start(): Promise<void> {
    for (const { receipt, queue } of this.#journal.takeLeftOver()) await this.#handBack(queue, receipt);
    for (const source of [...this.#queues, ...this.#streams]) source.start();
    this.#timeToLive.start();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#queues, ...this.#streams, this.#timeToLive].map((source) => source.stop()));
  }

  /** Tells the streams that something may have been written. */
  nudge(): void {
    for (const stream of this.#streams) stream.nudge();
  }

  /** Deletes what is past its time to live on the clock as it stands. */
  sweep(): Promise<void> {
    return this.#timeToLive.sweep();
  }

  /** Resolves when every stream was found empty and no queue with a function has a message that could be worked on. */
  async whenDrained(isOver: () => boolean): Promise<void> {
    await this.#timeToLive.sweep();
    do {
      await Promise.all(this.#streams.map((stream) => stream.whenDrained(isOver)));
      if (this.areQueuesQuiet()) return;
      await sleep(5);
    } while (!isOver());
  }

  /** Whether no message is ready or in work; delayed ones and those waiting for their next try do not count. */
  areQueuesQuiet(): boolean {
    if (performance.now() < this.#handedBackAtMs) return false;
    return this.#queues.every((source) => {
      const messages = this.#settings.fauxqs.server.inspectQueue(source.queueName)?.messages;
      const now = this.#settings.clock.nowMs();
      const isDue =
        messages?.delayed.some((each) => (each.delayUntil ?? 0) <= now) ||
        messages?.inflight.some((each) => each.visibilityDeadline <= now);
      return source.activeCount === 0 && (messages?.ready.length ?? 0) === 0 && !isDue;
    });
  }

  queueStates(): readonly QueueState[] {
    return this.#settings.assembly.queues.map((queue) => {
      const messages = this.#settings.fauxqs.server.inspectQueue(queue.name)?.messages;
      return {
        name: queue.name,
        ready: messages?.ready.length ?? 0,
        delayed: messages?.delayed.length ?? 0,
        in_flight: messages?.inflight.length ?? 0,
        is_dead_letter_queue: queue.isDeadLetterQueue,
      };
    });
  }

  #queueSource(source: LocalEventSource): QueueSource {
    const queueName = source.sourceArn.split(':').at(-1) ?? '';
    const { fauxqs, invoke } = this.#settings;
    return new QueueSource({
      source,
      queueName,
      queueUrl: this.#fauxqsQueueUrl(queueName),
      fauxqsUrl: fauxqs.url,
      journal: this.#journal,
      invoke,
    });
  }

  #streamSource(source: LocalEventSource): StreamSource {
    const { assembly, tablesUrl, dataDir, invoke, clock } = this.#settings;
    const table = assembly.tables.find((each) => source.sourceArn.startsWith(each.arn));
    if (!table) throw new Error(`${source.sourceArn}: no table with this stream`);
    const functionName = assembly.functions.find((each) => each.logicalId === source.functionId)?.name ?? source.functionId;
    return new StreamSource({
      source,
      table,
      tablesUrl,
      checkpointFile: join(dataDir, 'checkpoints', `${functionName}.json`),
      invoke,
      isTimeToLiveRemoval: (record) => this.#timeToLive.takeRemoval(record),
      sendFailure: (arn, message) => this.#sendFailure(arn, message),
      nowMs: () => clock.nowMs(),
    });
  }

  async #sendFailure(destinationArn: string, message: Json): Promise<void> {
    const name = destinationArn.split(':').at(-1) ?? '';
    if (destinationArn.startsWith('arn:aws:sns:')) this.#settings.fauxqs.server.publish(name, JSON.stringify(message));
    else this.#settings.fauxqs.server.sendMessage(name, JSON.stringify(message));
  }

  async #handBack(queueName: string, receipt: string): Promise<void> {
    // One second, not 0: at 0 fauxqs with a data folder fails in its own database and drops the message.
    const input = { QueueUrl: this.#fauxqsQueueUrl(queueName), ReceiptHandle: receipt, VisibilityTimeout: 1 };
    this.#handedBackAtMs = performance.now() + 1000;
    await callJson(this.#settings.fauxqs.url, 'sqs', 'ChangeMessageVisibility', input).catch((error: unknown) => {
      // Deleted, or visible again, since the journal was written.
      if (!(error instanceof EmulatorError)) throw error;
    });
  }

  #fauxqsQueueUrl(queueName: string): string {
    return this.#settings.fauxqs.server.inspectQueue(queueName)?.url ?? `${this.#settings.fauxqs.url}/000000000000/${queueName}`;
  }
}
