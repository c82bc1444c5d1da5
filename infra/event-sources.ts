// What wakes each event function, and the size and time each function is given.
import type { QueueName } from '#infra/permissions.ts';

export interface QueueSource {
  readonly kind: 'queue';
  readonly queue: QueueName;
  readonly batchSize: number;
  /** Keeps one busy source from taking every environment of the account. */
  readonly concurrencyMax?: number;
  /** Waits this long for a batch to fill, where nobody waits for the single message. */
  readonly batchWindowSeconds?: number;
}

export interface StreamSource {
  readonly kind: 'stream';
  readonly batchSize: number;
  /** Event filter patterns of Lambda; empty means every change. */
  readonly filters: readonly Readonly<Record<string, unknown>>[];
}

export interface ScheduleSource {
  readonly kind: 'schedule';
  readonly everyMinutes: number;
}

/** Nothing wakes it: the operator invokes it by name. */
export interface ManualSource {
  readonly kind: 'manual';
}

export type EventSource = QueueSource | StreamSource | ScheduleSource | ManualSource;

const every = (everyMinutes: number): ScheduleSource => ({ kind: 'schedule', everyMinutes });

/** Of all that changes, what somebody follows: accounts and mails that come, mails that go. */
const FOLLOWED: StreamSource['filters'] = [
  { eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['account', 'mail'] } } } },
  { eventName: ['REMOVE'], dynamodb: { OldImage: { type: { S: ['mail'] } } } },
];

const EVENT_SOURCES: Readonly<Record<string, EventSource>> = {
  // One at a time: parsing 40 MB takes hundreds of MB of memory, and a death by it must not take other mail along.
  'on-mail-received': { kind: 'queue', queue: 'inbound', batchSize: 1, concurrencyMax: 20 },
  'on-ses-event': { kind: 'queue', queue: 'ses-events', batchSize: 10, concurrencyMax: 10 },
  'on-mail-unfinished': { kind: 'queue', queue: 'unfinished', batchSize: 1, concurrencyMax: 10 },
  // Few seconds a message, nearly all of them spent waiting for a stranger: many at a time, each holding little.
  'on-delivery-due': { kind: 'queue', queue: 'deliveries', batchSize: 10, concurrencyMax: 50 },
  'on-delivery-retry': { kind: 'queue', queue: 'retries', batchSize: 10, concurrencyMax: 50, batchWindowSeconds: 1 },
  'on-mailbox-change': { kind: 'stream', batchSize: 100, filters: FOLLOWED },
  'on-bonds-imported': { kind: 'manual' },
  'on-sender-resumed': { kind: 'manual' },
  'on-bonds-due': every(5),
  'on-stakes-due': every(1),
  'on-outbox-due': every(5),
  'on-payments-due': every(5),
  'on-retries-due': every(1),
  'on-names-due': every(1),
  'on-purchases-due': every(5),
  'on-journal-due': every(15),
  'on-digest-due': every(60),
};

/** A schedule that nobody gave a rate runs this often. */
const DEFAULT_RATE = every(5);

/**
 * Tells what wakes an event function; `on-<what>-due` without a row is a schedule.
 * @throws when nothing does: it would be deployed and never run.
 */
export function eventSourceOf(name: string): EventSource {
  const source = EVENT_SOURCES[name] ?? (name.endsWith('-due') ? DEFAULT_RATE : undefined);
  if (!source) throw new Error(`${name} has no row in infra/event-sources.ts: say what wakes it`);
  return source;
}

export interface FunctionSize {
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
}

const SIZES: Readonly<Record<string, FunctionSize>> = {
  // Ten seconds for the endpoint and ten around them; a message of one that died comes again after two minutes.
  'on-delivery-due': { memoryMb: 512, timeoutSeconds: 20 },
  'on-delivery-retry': { memoryMb: 512, timeoutSeconds: 20 },
  // One whole vCPU: parsing a 40 MB mail is pure computation.
  'on-mail-received': { memoryMb: 1769, timeoutSeconds: 60 },
  // The first runs follow two years of blocks; each later one a minute's.
  'on-names-due': { memoryMb: 512, timeoutSeconds: 240 },
  'on-mail-unfinished': { memoryMb: 1024, timeoutSeconds: 60 },
};

/** API Gateway gives up after 30 s, so a request function ends itself first and can still answer. */
const REQUEST_SIZE: FunctionSize = { memoryMb: 1024, timeoutSeconds: 29 };
const EVENT_SIZE: FunctionSize = { memoryMb: 1024, timeoutSeconds: 30 };

/** Memory (MB; CPU grows with it) and time-out (s) of a function. */
export const sizeOf = (name: string): FunctionSize => SIZES[name] ?? (name.endsWith('-http') ? REQUEST_SIZE : EVENT_SIZE);
