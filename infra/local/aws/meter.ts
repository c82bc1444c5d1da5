// Counts what the functions cost: invocations with their time, and calls to AWS with the capacity they consumed.
// Everything is kept per function and route, because that is the grain in which a price is asked for.

/** One finished invocation; times in milliseconds, sizes in bytes. `initMs` is 0 when the environment was warm. */
interface InvocationSample {
  readonly function: string;
  readonly route: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly initMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** One call to an AWS service; the units are DynamoDB's request units and 0 elsewhere. */
interface CallSample {
  readonly function: string;
  readonly route: string;
  readonly service: string;
  readonly operation: string;
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface MeteredCalls {
  readonly service: string;
  readonly operation: string;
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** The sums of one function and route. */
export interface MeterRow {
  readonly function: string;
  readonly route: string;
  readonly invocations: number;
  readonly coldStarts: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly initMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly calls: readonly MeteredCalls[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Tally extends Omit<Mutable<MeterRow>, 'calls'> {
  calls: Map<string, Mutable<MeteredCalls>>;
}

const emptyTally = (functionName: string, route: string): Tally => ({
  function: functionName,
  route,
  invocations: 0,
  coldStarts: 0,
  cpuMs: 0,
  wallMs: 0,
  initMs: 0,
  requestBytes: 0,
  responseBytes: 0,
  readUnits: 0,
  writeUnits: 0,
  calls: new Map(),
});

const byFunctionAndRoute = (a: MeterRow, b: MeterRow): number => a.function.localeCompare(b.function) || a.route.localeCompare(b.route);

const byServiceAndOperation = (a: MeteredCalls, b: MeteredCalls): number =>
  a.service.localeCompare(b.service) || a.operation.localeCompare(b.operation);

/** The running sums since the start or the last reset. */
export class Meter {
  readonly #tallies = new Map<string, Tally>();

  /** Adds one finished invocation of a function. */
  recordInvocation(sample: InvocationSample): void {
    const tally = this.#tally(sample.function, sample.route);
    tally.invocations += 1;
    tally.coldStarts += sample.initMs > 0 ? 1 : 0;
    tally.cpuMs += sample.cpuMs;
    tally.wallMs += sample.wallMs;
    tally.initMs += sample.initMs;
    tally.requestBytes += sample.requestBytes;
    tally.responseBytes += sample.responseBytes;
  }

  /** Adds one call to an AWS service, whether it succeeded or not. */
  recordCall(sample: CallSample): void {
    const tally = this.#tally(sample.function, sample.route);
    tally.readUnits += sample.readUnits;
    tally.writeUnits += sample.writeUnits;
    const key = `${sample.service}:${sample.operation}`;
    const calls = tally.calls.get(key) ?? { service: sample.service, operation: sample.operation, calls: 0, readUnits: 0, writeUnits: 0 };
    calls.calls += 1;
    calls.readUnits += sample.readUnits;
    calls.writeUnits += sample.writeUnits;
    tally.calls.set(key, calls);
  }

  /** The sums as they are now, sorted by function and route; a copy that later calls do not change. */
  snapshot(): readonly MeterRow[] {
    const rows = [...this.#tallies.values()].map((tally) => ({
      ...tally,
      calls: [...tally.calls.values()].map((calls) => ({ ...calls })).sort(byServiceAndOperation),
    }));
    return rows.sort(byFunctionAndRoute);
  }

  /** Forgets all sums. */
  reset(): void {
    this.#tallies.clear();
  }

  #tally(functionName: string, route: string): Tally {
    // A newline cannot stand in a function name or route key, so two different pairs never share a key.
    const key = `${functionName}\n${route}`;
    const tally = this.#tallies.get(key) ?? emptyTally(functionName, route);
    this.#tallies.set(key, tally);
    return tally;
  }
}
