// DynamoDB's time to live on the moved clock: deletes items whose time is past and remembers which removals were its own,
// so that the stream can show them as the service's.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { callJson, EmulatorError } from './aws-json.ts';
import type { Clock, LocalTable } from './model.ts';
import { asList, asObject, asText, type Json } from './shapes.ts';

/** How often a standing clock is looked at. The cloud takes hours to days, so nothing may rely on it being soon. */
const SWEEP_MS = 60_000;

export interface TimeToLiveSettings {
  readonly tables: readonly LocalTable[];
  readonly tablesUrl: string;
  readonly clock: Clock;
  /** Keeps the keys that were deleted and not yet seen in the stream. */
  readonly journalFile: string;
}

export class TimeToLive {
  readonly #settings: TimeToLiveSettings;
  readonly #removed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #sweep: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(settings: TimeToLiveSettings) {
    this.#settings = settings;
    mkdirSync(dirname(settings.journalFile), { recursive: true });
    if (!existsSync(settings.journalFile)) return;
    for (const line of readFileSync(settings.journalFile, 'utf8').split('\n')) if (line !== '') this.#removed.add(line);
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), SWEEP_MS);
  }

  /** Deletes everything that is past its time now; resolves when done. Sweeps follow one another. */
  sweep(): Promise<void> {
    const next = this.#sweep.then(async () => {
      for (const table of this.#settings.tables) if (table.ttlAttribute !== undefined) await this.#sweepTable(table, table.ttlAttribute);
    });
    // A failed sweep is made good by the next one.
    this.#sweep = next.catch(() => undefined);
    return this.#sweep;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#sweep;
  }

  /** Whether this stream record is a removal that a sweep made; each is told once. */
  takeRemoval(record: Json): boolean {
    if (record['eventName'] !== 'REMOVE') return false;
    const isOurs = this.#removed.delete(fingerprint(asObject(asObject(record['dynamodb'])['Keys'])));
    if (isOurs && this.#removed.size === 0) writeFileSync(this.#settings.journalFile, '');
    return isOurs;
  }

  async #sweepTable(table: LocalTable, attribute: string): Promise<void> {
    const keyNames = asList(table.createInput['KeySchema']).map((key) => asText(asObject(key)['AttributeName']) ?? '');
    const now = String(Math.floor(this.#settings.clock.nowMs() / 1000));
    let start: unknown;
    do {
      const page = await callJson(this.#settings.tablesUrl, 'dynamodb', 'Scan', {
        TableName: table.name,
        FilterExpression: '#ttl <= :now',
        ProjectionExpression: keyNames.map((_name, index) => `#key${index}`).join(', '),
        ExpressionAttributeNames: { '#ttl': attribute, ...Object.fromEntries(keyNames.map((name, index) => [`#key${index}`, name])) },
        ExpressionAttributeValues: { ':now': { N: now } },
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      });
      for (const key of asList(page['Items'])) await this.#remove(table.name, attribute, now, asObject(key));
      start = page['LastEvaluatedKey'];
    } while (start !== undefined && !this.#isStopped);
  }

  async #remove(tableName: string, attribute: string, now: string, key: Json): Promise<void> {
    const print = fingerprint(key);
    this.#removed.add(print);
    // Written down first: the stream may be read by a later start of the stack.
    appendFileSync(this.#settings.journalFile, `${print}\n`);
    try {
      await callJson(this.#settings.tablesUrl, 'dynamodb', 'DeleteItem', {
        TableName: tableName,
        Key: key,
        // The item may have been given more time since the scan.
        ConditionExpression: '#ttl <= :now',
        ExpressionAttributeNames: { '#ttl': attribute },
        ExpressionAttributeValues: { ':now': { N: now } },
      });
    } catch (error) {
      this.#removed.delete(print);
      if (!(error instanceof EmulatorError && error.code === 'ConditionalCheckFailedException')) throw error;
    }
  }
}

/** A key as text; the order of its attributes differs between replies. */
function fingerprint(key: Json): string {
  return JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)));
}
