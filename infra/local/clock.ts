// The one clock of a local stack: the machine's time plus an offset that is kept in the data folder and shared with
// every worker. It only ever moves forward.
import { existsSync, readFileSync } from 'node:fs';
import type { Clock } from './model.ts';
import { asObject } from './shapes.ts';
import { writeWhole } from './whole-file.ts';

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
  /** Whether the folder's own time is later than the one that was asked for, and stays. */
  readonly isLaterThanAsked: boolean;

  /** `file` keeps the offset; `startUnix` (seconds) sets the time of a new folder and may only be later on a known one. */
  constructor(file: string, startUnix?: number) {
    super(new SharedArrayBuffer(8));
    this.#file = file;
    const stored = readOffset(file);
    const wanted = startUnix === undefined ? undefined : startUnix * 1000 - realNow();
    this.isLaterThanAsked = stored !== undefined && wanted !== undefined && stored > wanted;
    this.offsetMs[0] = (this.isLaterThanAsked ? stored : (wanted ?? stored)) ?? 0;
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
    writeWhole(this.#file, JSON.stringify({ offset_ms: this.offsetMs[0] }));
  }
}

/** The stored offset; nothing for a new folder. A file that tells none is no new folder: its clock would go backwards. */
function readOffset(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const offset = parseOffset(readFileSync(file, 'utf8'));
  if (offset !== undefined) return offset;
  throw new Error(`${file} is broken: write {"offset_ms": 0} into it to go on at the machine's time, or start with --fresh`);
}

function parseOffset(text: string): number | undefined {
  try {
    const { offset_ms: offset } = asObject(JSON.parse(text));
    return typeof offset === 'number' ? offset : undefined;
  } catch {
    return undefined;
  }
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
