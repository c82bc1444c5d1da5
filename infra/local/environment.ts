// One Lambda environment: a worker thread with its own variables and credentials, running one invocation at a time.
import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { LOCAL_SECRET_ACCESS_KEY } from './aws/presigned.ts';
import type { LocalFunction } from './model.ts';
import { REGION } from './physical-names.ts';
import type { InvokeMessage, ThrownError, WorkerMessage, WorkerSettings } from './worker.ts';

/** How an invocation ended. Times in milliseconds; `initMs` is 0 in a warm environment. */
export interface InvocationEnd {
  readonly outcome: 'done' | 'failed' | 'timeout' | 'crash';
  /** The reply as JSON when done, else Lambda's error object as JSON. */
  readonly payload: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly initMs: number;
}

export interface EnvironmentSettings {
  readonly function: LocalFunction;
  readonly clock: SharedArrayBuffer;
  readonly endpointUrl: string;
  readonly writeLog: (chunk: string | Buffer) => void;
  /** Called when it can take (another) invocation. */
  readonly onIdle: (environment: Environment) => void;
  /** Called once when it is gone; `initError` when it never came up. */
  readonly onGone: (environment: Environment, initError?: ThrownError) => void;
}

interface Running {
  readonly message: InvokeMessage;
  readonly route: string;
  readonly startedAt: number;
  readonly timer: NodeJS.Timeout;
  readonly finish: (end: InvocationEnd) => void;
}

export class Environment {
  /** Also its access key id, by which the AWS endpoint knows whose call it has before it. */
  readonly id = `ENV${randomBytes(9).toString('hex').toUpperCase()}`;
  readonly #settings: EnvironmentSettings;
  readonly #worker: Worker;
  #running: Running | undefined;
  #initMs = 0;
  #initCpuMs = 0;
  #isReady = false;
  #initError: ThrownError | undefined;

  constructor(settings: EnvironmentSettings) {
    this.#settings = settings;
    const data: WorkerSettings = {
      clock: settings.clock,
      codeDir: settings.function.codeDir,
      handler: settings.function.handler,
      layerDirs: settings.function.layerDirs,
    };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: data,
      env: variablesOf(settings.function, this.id, settings.endpointUrl),
      stdout: true,
      stderr: true,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: settings.function.memoryMb },
    });
    this.#worker.stdout.on('data', settings.writeLog);
    this.#worker.stderr.on('data', settings.writeLog);
    this.#worker.on('message', (message: WorkerMessage) => this.#receive(message));
    this.#worker.on('error', (error) => settings.writeLog(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`));
    this.#worker.on('exit', () => this.#exited());
  }

  /** Route key, event source or schedule of the running invocation. */
  get route(): string {
    return this.#running?.route ?? 'init';
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Runs one event (JSON). It always resolves: a crash or a time-out is an end like others. */
  run(payload: string, route: string): Promise<InvocationEnd> {
    const fn = this.#settings.function;
    const message: InvokeMessage = {
      requestId: randomUUID(),
      payload,
      functionName: physicalName(fn),
      functionArn: fn.arn,
      memoryMb: fn.memoryMb,
      timeoutMs: fn.timeoutSeconds * 1000,
    };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#timeOut(), message.timeoutMs);
      this.#running = { message, route, startedAt: performance.now(), timer, finish: resolve };
      this.#worker.postMessage(message);
    });
  }

  /** Kills the thread at once; a running invocation ends as a crash. */
  kill(): Promise<number> {
    return this.#worker.terminate();
  }

  #receive(message: WorkerMessage): void {
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#initMs = message.initMs;
      this.#initCpuMs = message.cpuMs;
      this.#settings.onIdle(this);
    } else if (message.type === 'init-failed') {
      this.#initError = message.error;
      this.#settings.writeLog(`${message.error.trace.join('\n')}\n`);
      void this.kill();
    } else if (message.requestId === this.#running?.message.requestId) {
      const failed = message.type === 'failed';
      if (failed) this.#settings.writeLog(`${message.error.trace.join('\n')}\n`);
      this.#finish(failed ? 'failed' : 'done', failed ? JSON.stringify(message.error) : message.payload, message.cpuMs);
      this.#settings.onIdle(this);
    }
  }

  #timeOut(): void {
    const running = this.#running;
    if (!running) return;
    const text = `${running.message.requestId} Task timed out after ${(running.message.timeoutMs / 1000).toFixed(2)} seconds`;
    this.#settings.writeLog(`${text}\n`);
    this.#finish(
      'timeout',
      JSON.stringify({ errorType: 'Sandbox.Timedout', errorMessage: `RequestId: ${text}` }),
      running.message.timeoutMs,
    );
    void this.kill();
  }

  #exited(): void {
    const requestId = this.#running?.message.requestId ?? '';
    const errorMessage = `RequestId: ${requestId} Error: Runtime exited without providing a reason`;
    this.#finish('crash', JSON.stringify({ errorType: 'Runtime.ExitError', errorMessage }), 0);
    const died: ThrownError = { errorType: 'Runtime.ExitError', errorMessage: 'the environment ended before it was ready', trace: [] };
    this.#settings.onGone(this, this.#initError ?? (this.#isReady ? undefined : died));
  }

  #finish(outcome: InvocationEnd['outcome'], payload: string, cpuMs: number): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    clearTimeout(running.timer);
    const end = { outcome, payload, cpuMs: cpuMs + this.#initCpuMs, wallMs: performance.now() - running.startedAt, initMs: this.#initMs };
    // The first invocation carries the price of the start.
    this.#initMs = 0;
    this.#initCpuMs = 0;
    running.finish(end);
  }
}

/** The name under which Lambda knows the function; `name` is for people. */
function physicalName(fn: LocalFunction): string {
  return fn.arn.split(':').at(-1) ?? fn.name;
}

/** All that a function sees as its environment: nothing of this process's own variables is handed on. */
function variablesOf(fn: LocalFunction, environmentId: string, endpointUrl: string): NodeJS.ProcessEnv {
  return {
    ...fn.environment,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ENDPOINT_URL: endpointUrl,
    AWS_ACCESS_KEY_ID: environmentId,
    AWS_SECRET_ACCESS_KEY: LOCAL_SECRET_ACCESS_KEY,
    // The SDK would otherwise read the developer's own profile, and a region or role set there.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: physicalName(fn),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMb),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${physicalName(fn)}`,
    AWS_LAMBDA_LOG_STREAM_NAME: environmentId,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    LAMBDA_TASK_ROOT: fn.codeDir,
    _HANDLER: fn.handler,
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
  };
}
