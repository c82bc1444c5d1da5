// Runs operations side by side, one call at a time: waits until each of them stands before a call, then lets one go.
import type { Random } from '../random.ts';
import { type Fault, faultFor } from './faults.ts';
import type { Operation, PendingCall } from './operation.ts';

/** Longer than any code between two calls runs, on a machine that is busy with other things. */
const PATIENCE_MS = 30_000;

/** A call that was on its way when its function died. */
export interface LateCall {
  readonly label: string;
  stepsLeft: number;
  make(): Promise<void>;
}

export interface Journal {
  readonly late: LateCall[];
  note(line: string): void;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const stands = (operation: Operation): boolean => operation.ending !== undefined || operation.pending.length > 0;

/** Waits until nothing goes on but waiting; what runs in thread pools (signatures) has no call to show and is waited for. */
const quiet = async (operations: readonly Operation[]): Promise<void> => {
  const giveUpAt = performance.now() + PATIENCE_MS;
  do {
    await turn();
    if (performance.now() > giveUpAt)
      throw new Error(`hangs: ${operations.filter((operation) => !stands(operation)).map(({ label }) => label)}`);
  } while (!operations.every(stands));
};

const silently = async (call: PendingCall): Promise<void> => {
  await call.execute().then(
    () => undefined,
    () => undefined,
  );
};

/** Ends an operation; other calls it had on the way arrive or do not, as chance has it. */
const die = async (operation: Operation, random: Random): Promise<void> => {
  operation.ending = { is: 'died' };
  const others = operation.pending.splice(0);
  for (const other of others) if (other.service !== 'timer' && random.chance(0.5)) await silently(other);
};

const suffer = async (call: PendingCall, fault: Fault, journal: Journal, random: Random): Promise<void> => {
  if (fault.kind === 'before') return call.reject(fault.error);
  if (fault.kind === 'after') {
    await silently(call);
    return call.reject(fault.error);
  }
  if (fault.when === 'after') await silently(call);
  if (fault.when === 'late') {
    journal.late.push({ label: `${call.operation.label}: ${call.name}`, stepsLeft: 1 + random.below(4), make: () => silently(call) });
  }
  await die(call.operation, random);
};

const letGo = async (call: PendingCall, journal: Journal, random: Random): Promise<void> => {
  const fault = faultFor(call);
  if (fault) {
    journal.note(`    ${call.operation.label}: ${call.service} ${call.name}: ${fault.name}`);
    return suffer(call, fault, journal, random);
  }
  try {
    call.resolve(await call.execute());
  } catch (error) {
    call.reject(error);
  }
};

/** Runs operations to their endings, in an order that `random` decides. */
export const runTogether = async (operations: readonly Operation[], random: Random, journal: Journal): Promise<void> => {
  for (;;) {
    await quiet(operations);
    const pending = operations.flatMap((operation) => (operation.ending ? [] : operation.pending));
    if (pending.length === 0) return;
    const call = random.pick(pending);
    call.operation.pending.splice(call.operation.pending.indexOf(call), 1);
    await letGo(call, journal, random);
  }
};
