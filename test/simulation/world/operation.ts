// One invocation of a function under simulation. Each of its calls to the cloud waits here until the scheduler lets it go,
// so that a seed decides the order of everything, and which call fails, is lost, or is the last one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Random, seededRandom } from '../random.ts';

export type Service = 'table' | 'bucket' | 'queue' | 'post' | 'timer';

export interface PendingCall {
  readonly operation: Operation;
  readonly service: Service;
  readonly name: string;
  /** How many actions a transaction has; 0 for any other call. */
  readonly actionCount: number;
  /** Makes the call. */
  execute(): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** What the scheduler does to calls of an operation. */
export interface FaultPlan {
  /** Of how many calls one goes wrong; 0 for none. */
  readonly oneIn: number;
  readonly random: Random;
}

export type Ending<T> =
  | { readonly is: 'done'; readonly value: T }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'died' };

/** What an operation may see of the world it runs in. */
export interface Surroundings {
  nowMs(): number;
}

export interface Operation<T = unknown> {
  readonly label: string;
  readonly faults: FaultPlan;
  readonly random: Random;
  readonly surroundings: Surroundings;
  readonly pending: PendingCall[];
  ending: Ending<T> | undefined;
}

const running = new AsyncLocalStorage<Operation>();

/** The operation that the present code runs in; undefined in the simulator's own code. */
export const currentOperation = (): Operation | undefined => running.getStore();

/** Runs code outside of any operation: its calls are made at once. */
export const outside = <T>(work: () => T): T => running.exit(work);

/** Starts an operation; it comes to its `ending` while the scheduler runs. */
export const startOperation = <T>(settings: {
  readonly label: string;
  readonly seed: number;
  readonly oneIn: number;
  readonly surroundings: Surroundings;
  readonly work: () => Promise<T>;
}): Operation<T> => {
  const { label, seed, oneIn, surroundings, work } = settings;
  const operation: Operation<T> = {
    label,
    surroundings,
    faults: { oneIn, random: seededRandom(seed) },
    random: seededRandom(seed ^ 0x5bd1e995),
    pending: [],
    ending: undefined,
  };
  running.run(operation, () => {
    work().then(
      (value) => {
        operation.ending ??= { is: 'done', value };
      },
      (error: unknown) => {
        operation.ending ??= { is: 'failed', error };
      },
    );
  });
  return operation;
};

/** Makes a call wait for the scheduler; calls from outside of operations are made at once. */
export const park = <T>(service: Service, name: string, execute: () => Promise<T>, actionCount = 0): Promise<T> => {
  const operation = running.getStore();
  if (!operation) return execute();
  return new Promise<T>((resolve, reject) => {
    // The code of a dead operation may still run up to here; it goes no further.
    if (operation.ending) return;
    const call: PendingCall = {
      operation,
      service,
      name,
      actionCount,
      execute: () => outside(execute),
      resolve: (value) => resolve(value as T),
      reject,
    };
    operation.pending.push(call);
  });
};
