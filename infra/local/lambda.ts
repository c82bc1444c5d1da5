// Runs the template's functions: starts environments on demand, keeps them warm, holds to Lambda's limits, and meters.
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { Environment, type InvocationEnd } from './environment.ts';
import type { Caller, CallerDirectory, LocalFunction } from './model.ts';
import type { ThrownError } from './worker.ts';

/** Lambda takes and gives at most 6 MB, measured on the JSON. */
export const PAYLOAD_BYTES_MAX = 6 * 1024 * 1024;

/** More environments of one function would only queue for the same few cores. */
const ENVIRONMENTS_MAX = 16;

/** What the runner tells the meter about each invocation; times in milliseconds, sizes in bytes. */
export interface InvocationRecord {
  readonly function: string;
  readonly route: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly initMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export interface LambdaSettings {
  readonly functions: readonly LocalFunction[];
  readonly clock: SharedArrayBuffer;
  readonly endpointUrl: string;
  readonly logDir: string;
  readonly recordInvocation: (record: InvocationRecord) => void;
}

/** How an invocation ended for the caller; `too-large` never reached the function. */
export interface InvocationResult {
  readonly outcome: InvocationEnd['outcome'] | 'too-large' | 'throttled';
  readonly payload: string;
}

export interface FunctionState {
  readonly name: string;
  readonly environments: number;
  readonly running: number;
  readonly waiting: number;
  readonly invocations: number;
  readonly errors: number;
}

interface Job {
  readonly payload: string;
  readonly route: string;
  readonly finish: (end: InvocationEnd) => void;
}

export class LambdaRuntime implements CallerDirectory {
  readonly #pools: ReadonlyMap<string, FunctionPool>;
  readonly #settings: LambdaSettings;

  constructor(settings: LambdaSettings) {
    mkdirSync(settings.logDir, { recursive: true });
    this.#settings = settings;
    this.#pools = new Map(settings.functions.map((each) => [each.logicalId, new FunctionPool(each, settings)]));
  }

  /** Runs a function on an event. Always resolves; `route` names the cause in the meter. */
  async invoke(functionId: string, event: unknown, route: string): Promise<InvocationResult> {
    const pool = this.#pools.get(functionId);
    if (!pool) throw new Error(`no function ${functionId}`);
    const payload = JSON.stringify(event ?? {});
    const requestBytes = Buffer.byteLength(payload);
    if (requestBytes > PAYLOAD_BYTES_MAX) return { outcome: 'too-large', payload: '' };
    if (pool.environmentsMax === 0) return { outcome: 'throttled', payload: '' };
    const end = await pool.run(payload, route);
    const responseBytes = Buffer.byteLength(end.payload);
    this.#settings.recordInvocation({
      function: pool.function.name,
      route,
      cpuMs: end.cpuMs,
      wallMs: end.wallMs,
      initMs: end.initMs,
      requestBytes,
      responseBytes,
    });
    if (end.outcome === 'done' && responseBytes > PAYLOAD_BYTES_MAX) {
      const errorMessage = `Response payload size exceeded maximum allowed payload size (${PAYLOAD_BYTES_MAX} bytes).`;
      return { outcome: 'failed', payload: JSON.stringify({ errorType: 'Function.ResponseSizeTooLarge', errorMessage }) };
    }
    return { outcome: end.outcome, payload: end.payload };
  }

  callerOf(accessKeyId: string): Caller | undefined {
    for (const pool of this.#pools.values()) {
      const environment = pool.environment(accessKeyId);
      if (environment) return { environmentId: environment.id, function: pool.function, route: environment.route };
    }
    return undefined;
  }

  crash(environmentId: string): void {
    for (const pool of this.#pools.values()) void pool.environment(environmentId)?.kill();
  }

  /** Invocations that run or wait for an environment. */
  get activeCount(): number {
    return [...this.#pools.values()].reduce((sum, pool) => sum + pool.activeCount, 0);
  }

  states(): readonly FunctionState[] {
    return [...this.#pools.values()].map((pool) => pool.state());
  }

  /** Kills every environment; running invocations end as crashes. */
  async stop(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.stop()));
  }
}

class FunctionPool {
  readonly function: LocalFunction;
  readonly environmentsMax: number;
  readonly #settings: LambdaSettings;
  readonly #log: WriteStream;
  readonly #environments = new Map<string, Environment>();
  /** Most recently used last: as on Lambda, few stay busy and the others stay idle. */
  readonly #idle: Environment[] = [];
  readonly #waiting: Job[] = [];
  #startingCount = 0;
  #invocationCount = 0;
  #errorCount = 0;
  #isStopped = false;

  constructor(localFunction: LocalFunction, settings: LambdaSettings) {
    this.function = localFunction;
    this.environmentsMax = Math.min(localFunction.reservedConcurrency ?? ENVIRONMENTS_MAX, ENVIRONMENTS_MAX);
    this.#settings = settings;
    this.#log = createWriteStream(join(settings.logDir, `${localFunction.name}.log`), { flags: 'a' });
  }

  get activeCount(): number {
    return this.#waiting.length + [...this.#environments.values()].filter((each) => each.isBusy).length;
  }

  environment(id: string): Environment | undefined {
    return this.#environments.get(id);
  }

  state(): FunctionState {
    return {
      name: this.function.name,
      environments: this.#environments.size,
      running: this.activeCount - this.#waiting.length,
      waiting: this.#waiting.length,
      invocations: this.#invocationCount,
      errors: this.#errorCount,
    };
  }

  async run(payload: string, route: string): Promise<InvocationEnd> {
    if (this.#isStopped) return failedStart({ errorType: 'Runtime.Stopped', errorMessage: 'the stack is stopping', trace: [] });
    const end = await new Promise<InvocationEnd>((finish) => {
      this.#waiting.push({ payload, route, finish });
      this.#dispatch();
    });
    this.#invocationCount += 1;
    if (end.outcome !== 'done') this.#errorCount += 1;
    return end;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const job of this.#waiting.splice(0))
      job.finish(failedStart({ errorType: 'Runtime.Stopped', errorMessage: 'the stack is stopping', trace: [] }));
    await Promise.all([...this.#environments.values()].map((each) => each.kill()));
    this.#log.end();
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const environment = this.#idle.pop();
      if (!environment) break;
      const job = this.#waiting.shift();
      if (job) void environment.run(job.payload, job.route).then(job.finish);
    }
    while (this.#startingCount < this.#waiting.length && this.#environments.size < this.environmentsMax && !this.#isStopped) this.#start();
  }

  #start(): void {
    this.#startingCount += 1;
    let isStarting = true;
    const started = (): void => {
      if (isStarting) this.#startingCount -= 1;
      isStarting = false;
    };
    const environment = new Environment({
      function: this.function,
      clock: this.#settings.clock,
      endpointUrl: this.#settings.endpointUrl,
      writeLog: (chunk) => {
        if (!this.#log.writableEnded) this.#log.write(chunk);
      },
      onIdle: (idle) => {
        started();
        this.#idle.push(idle);
        this.#dispatch();
      },
      onGone: (gone, initError) => {
        started();
        this.#remove(gone, initError);
      },
    });
    this.#environments.set(environment.id, environment);
  }

  #remove(gone: Environment, initError: ThrownError | undefined): void {
    this.#environments.delete(gone.id);
    const index = this.#idle.indexOf(gone);
    if (index >= 0) this.#idle.splice(index, 1);
    // A handler that cannot be loaded fails the invocation it was started for; trying for ever would hang it.
    const job = initError ? this.#waiting.shift() : undefined;
    if (job && initError) job.finish(failedStart(initError));
    this.#dispatch();
  }
}

function failedStart(error: ThrownError): InvocationEnd {
  return { outcome: 'failed', payload: JSON.stringify(error), cpuMs: 0, wallMs: 0, initMs: 0 };
}
