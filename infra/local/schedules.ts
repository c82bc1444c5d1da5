// Runs the template's schedules on the moved clock. A jump of the clock runs each schedule that fell due once, not once
// for every time it passed over.
import { randomUUID } from 'node:crypto';
import { nextCronMs } from './cron.ts';
import type { InvocationResult } from './lambda.ts';
import type { Clock, LocalSchedule } from './model.ts';
import { ACCOUNT_ID, REGION } from './physical-names.ts';
import type { Invoke } from './queue-source.ts';

const TICK_MS = 500;

export interface ScheduleRun {
  readonly name: string;
  readonly outcome: InvocationResult['outcome'];
  /** What the function answered, or its error. */
  readonly result: unknown;
}

interface Entry {
  readonly schedule: LocalSchedule;
  nextMs: number;
}

export class Schedules {
  readonly #entries: readonly Entry[];
  readonly #clock: Clock;
  readonly #invoke: Invoke;
  readonly #running = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(schedules: readonly LocalSchedule[], clock: Clock, invoke: Invoke) {
    this.#clock = clock;
    this.#invoke = invoke;
    this.#entries = schedules.map((schedule) => ({ schedule, nextMs: nextRunMs(schedule, clock.nowMs()) }));
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
  }

  /** Starts what has fallen due. */
  tick(): void {
    const now = this.#clock.nowMs();
    for (const entry of this.#entries) {
      if (!entry.schedule.enabled || entry.nextMs > now) continue;
      entry.nextMs = nextRunMs(entry.schedule, now);
      void this.#track(this.#runOne(entry.schedule));
    }
  }

  /** Runs one schedule by name, or all, and answers what came of each. Throws RangeError for an unknown name. */
  async run(name?: string): Promise<readonly ScheduleRun[]> {
    const chosen = this.#entries.filter((entry) => name === undefined || entry.schedule.name === name);
    if (name !== undefined && chosen.length === 0) {
      throw new RangeError(`no schedule ${name}; there are: ${this.#entries.map((entry) => entry.schedule.name).join(', ')}`);
    }
    return this.#track(Promise.all(chosen.map((entry) => this.#runOne(entry.schedule))));
  }

  get activeCount(): number {
    return this.#running.size;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #runOne(schedule: LocalSchedule): Promise<ScheduleRun> {
    const event = schedule.input ?? scheduledEvent(schedule.name, this.#clock.nowMs());
    const { outcome, payload } = await this.#invoke(schedule.functionId, event, `schedule ${schedule.name}`);
    return { name: schedule.name, outcome, result: payload === '' ? null : (JSON.parse(payload) as unknown) };
  }

  #track<T>(run: Promise<T>): Promise<T> {
    this.#running.add(run);
    const forget = (): void => void this.#running.delete(run);
    run.then(forget, forget);
    return run;
  }
}

function nextRunMs(schedule: LocalSchedule, afterMs: number): number {
  if (schedule.everySeconds !== undefined) return afterMs + schedule.everySeconds * 1000;
  return (schedule.cron === undefined ? undefined : nextCronMs(schedule.cron, afterMs)) ?? Number.POSITIVE_INFINITY;
}

function scheduledEvent(name: string, nowMs: number): unknown {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT_ID,
    time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    region: REGION,
    resources: [`arn:aws:events:${REGION}:${ACCOUNT_ID}:rule/${name}`],
    detail: {},
  };
}
