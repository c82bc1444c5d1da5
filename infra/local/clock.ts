// The one clock of a local stack: the machine's time plus an offset that is kept in the data folder and shared with
// every worker. It only ever moves forward.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from './model.ts';

const realNow = Date.now.bind(Date);

/** Reads the shared offset; what a worker gets instead of the clock itself. */
export class SharedClock implements Clock {
  readonly shared: SharedArrayBuffer;
  protected readonly offsetMs: Float64Array;

  constructor(shared: SharedArrayBuffer) {
    this.shared = shared;
    this.offsetMs = new Float64Array(shared);
  }

  /** Milliseconds since the epoch on the stack's clock. */
  nowMs(): number {
    return realNow() + (this.offsetMs[0] ?? 0);
  }
}

/** The clock that the main thread owns: it may be moved, and remembers where it was moved to. */
export class MovableClock extends SharedClock {
  readonly #file: string;
  readonly #listeners = new Set<() => void>();

  /** `file` keeps the offset; `startUnix` (seconds) sets the time of a new folder and may only be later on a known one. */
  constructor(file: string, startUnix?: number) {
    super(new SharedArrayBuffer(8));
    this.#file = file;
    const stored = readOffset(file);
    this.offsetMs[0] = stored ?? 0;
    if (startUnix !== undefined) {
      const wanted = startUnix * 1000 - realNow();
      this.offsetMs[0] = stored === undefined ? wanted : Math.max(stored, wanted);
    }
    this.#save();
  }

  /** Moves time on by `seconds` (not negative) and answers the new time in Unix seconds. */
  advance(seconds: number): number {
    if (!Number.isFinite(seconds) || seconds < 0) throw new RangeError('the clock never goes backwards');
    if (seconds > 0) {
      this.offsetMs[0] = (this.offsetMs[0] ?? 0) + seconds * 1000;
      this.#save();
      for (const listener of this.#listeners) listener();
    }
    return Math.floor(this.nowMs() / 1000);
  }

  /** Calls `listener` after each move; answers what removes it again. */
  onMove(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #save(): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    // Written aside and renamed: a kill in the middle must not leave a clock that starts over.
    writeFileSync(`${this.#file}.new`, JSON.stringify({ offset_ms: this.offsetMs[0] }));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function readOffset(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { offset_ms?: unknown };
  return typeof stored.offset_ms === 'number' ? stored.offset_ms : undefined;
}

/**
 * Makes `Date` of this thread follow `clock`, so that libraries and emulators in this process do too.
 * Answers what puts the former `Date` back. Timers and `performance.now()` keep the machine's pace.
 */
export function installClock(clock: Clock): () => void {
  const former = globalThis.Date;
  const followed = new Proxy(former, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length === 0 ? [clock.nowMs()] : parameters, newTarget) as object,
    apply: (target) => new target(clock.nowMs()).toString(),
    get: (target, property, receiver) =>
      property === 'now' ? () => Math.floor(clock.nowMs()) : (Reflect.get(target, property, receiver) as unknown),
  });
  globalThis.Date = followed;
  return () => {
    // Another stack in the same process may have installed its own since.
    if (globalThis.Date === followed) globalThis.Date = former;
  };
}
