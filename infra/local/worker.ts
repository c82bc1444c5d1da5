// Runs inside a worker thread: one Lambda environment. It loads the handler of a bundle and runs one invocation at a time.
// It must not import anything but Node and this folder's clock, because it shares its thread with the function.
import { existsSync } from 'node:fs';
import { createRequire, isBuiltin, registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { installClock, SharedClock } from './clock.ts';

export interface WorkerSettings {
  readonly clock: SharedArrayBuffer;
  readonly codeDir: string;
  readonly handler: string;
  readonly layerDirs: readonly string[];
}

export interface InvokeMessage {
  readonly requestId: string;
  /** The event as JSON. */
  readonly payload: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
}

export interface ThrownError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}

/** What an environment tells the stack; times in milliseconds. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly initMs: number; readonly cpuMs: number }
  | { readonly type: 'init-failed'; readonly error: ThrownError }
  | { readonly type: 'done'; readonly requestId: string; readonly payload: string; readonly cpuMs: number }
  | { readonly type: 'failed'; readonly requestId: string; readonly error: ThrownError; readonly cpuMs: number };

type Handler = (event: unknown, context: unknown) => unknown;

const settings = workerData as WorkerSettings;
const port = parentPort;
if (!port) throw new Error('worker.ts runs only as a worker thread');

const startedAt = performance.now();
installClock(new SharedClock(settings.clock));
resolveFromLayers();
const handler = await loadHandler().catch((error: unknown) => {
  tell({ type: 'init-failed', error: describe(error) });
  return undefined;
});
if (handler) {
  tell({ type: 'ready', initMs: performance.now() - startedAt, cpuMs: cpuMs() });
  port.on('message', (message: InvokeMessage) => void invoke(handler, message));
}

function tell(message: WorkerMessage): void {
  port?.postMessage(message);
}

/** CPU time of this thread since it started. */
function cpuMs(): number {
  const usage = process.threadCpuUsage();
  return (usage.user + usage.system) / 1000;
}

/**
 * Packages come from the bundle's own folder or from a layer, as on Lambda. Without this the search would climb from
 * the bundle into this repository's node_modules, and a module missing from the layer would show only once deployed.
 */
function resolveFromLayers(): void {
  const roots = [settings.codeDir, ...settings.layerDirs.map((folder) => join(folder, 'nodejs'))];
  let isSearching = false;
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const isPackage = !/^([./]|[a-z]+:|[A-Za-z]:\\)/.test(specifier) && !isBuiltin(specifier);
      if (!isPackage || isSearching) return nextResolve(specifier, context);
      isSearching = true;
      try {
        return { url: pathToFileURL(findPackage(specifier, roots)).href, shortCircuit: true };
      } finally {
        isSearching = false;
      }
    },
  });
}

function findPackage(specifier: string, roots: readonly string[]): string {
  for (const root of roots) {
    try {
      const file = createRequire(join(root, 'index.js')).resolve(specifier);
      if (file.startsWith(root + sep)) return file;
    } catch {
      // Not in this one; the next may have it.
    }
  }
  throw Object.assign(new Error(`Cannot find module '${specifier}' in the bundle or its layers`), { code: 'MODULE_NOT_FOUND' });
}

async function loadHandler(): Promise<Handler> {
  const dot = settings.handler.lastIndexOf('.');
  const [module, name] = [settings.handler.slice(0, dot), settings.handler.slice(dot + 1)];
  const file = ['.js', '.cjs', '.mjs'].map((extension) => join(settings.codeDir, module + extension)).find((each) => existsSync(each));
  if (file === undefined) throw new Error(`Cannot find module '${module}' in ${settings.codeDir}`);
  const loaded = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : createRequire(file)(file);
  const found: unknown = (loaded as Record<string, unknown>)[name];
  if (typeof found !== 'function') throw new Error(`${settings.handler} is undefined or not exported`);
  return found as Handler;
}

async function invoke(run: Handler, message: InvokeMessage): Promise<void> {
  const cpuBefore = cpuMs();
  try {
    const result = await run(JSON.parse(message.payload), contextOf(message));
    // Lambda turns what JSON cannot say (undefined, a function) into null.
    const payload = JSON.stringify(result) ?? 'null';
    tell({ type: 'done', requestId: message.requestId, payload, cpuMs: cpuMs() - cpuBefore });
  } catch (error) {
    tell({ type: 'failed', requestId: message.requestId, error: describe(error), cpuMs: cpuMs() - cpuBefore });
  }
}

function contextOf(message: InvokeMessage): unknown {
  const deadline = performance.now() + message.timeoutMs;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: message.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: message.functionArn,
    memoryLimitInMB: String(message.memoryMb),
    awsRequestId: message.requestId,
    logGroupName: `/aws/lambda/${message.functionName}`,
    logStreamName: process.env['AWS_LAMBDA_LOG_STREAM_NAME'] ?? '',
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadline - performance.now())),
  };
}

function describe(error: unknown): ThrownError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
}
