// The faults that a test asks for: which call of which service shall go wrong, when, how often and how.
// This file only keeps the list; fault-effects.ts makes them happen.
import { readMembers } from '../shapes.ts';
import { SERVICES } from './aws-call.ts';

const FAULT_EFFECTS = ['throttle', 'error_500', 'timeout', 'timeout_after_commit', 'crash_before', 'crash_after', 'conflict'] as const;

export type FaultEffect = (typeof FAULT_EFFECTS)[number];

/** What `POST /faults` takes. Service and operation are AWS's names (`dynamodb`, `PutItem`) in any case; `*` or nothing is any. */
export interface FaultRequest {
  readonly service?: string;
  readonly operation?: string;
  /** Matching calls to leave alone first; default 0. */
  readonly after?: number;
  /** Matching calls to disturb then; default 1. */
  readonly count?: number;
  readonly effect: FaultEffect;
}

/** A fault as it stands: how many matching calls it still skips and how many it still disturbs. */
interface PendingFault {
  readonly service: string;
  readonly operation: string;
  readonly effect: FaultEffect;
  readonly after: number;
  readonly count: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const matches = (wanted: string, actual: string): boolean => wanted === '*' || wanted.toLowerCase() === actual.toLowerCase();

const MEMBERS: readonly string[] = ['service', 'operation', 'after', 'count', 'effect'] satisfies (keyof FaultRequest)[];

function wholeNumber(value: unknown, name: string, min: number, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
  throw new TypeError(`${name} must be a whole number of at least ${min}`);
}

/** A misspelt service would never match a call, and the test that asked for the fault would wait in vain. */
function serviceName(value: unknown): string {
  if (value === undefined) return '*';
  if (typeof value === 'string' && ['*', ...SERVICES].includes(value.toLowerCase())) return value;
  throw new TypeError(`service must be one of ${SERVICES.join(', ')}, or * for any`);
}

function operationName(value: unknown): string {
  if (value === undefined) return '*';
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new TypeError('operation must be the name of an AWS operation, such as PutItem, or * for any');
}

function effectName(value: unknown): FaultEffect {
  const effect = FAULT_EFFECTS.find((each) => each === value);
  if (effect === undefined) throw new TypeError(`effect must be one of ${FAULT_EFFECTS.join(', ')}`);
  return effect;
}

function readFault(value: unknown): Mutable<PendingFault> {
  const request = readMembers(value, 'a fault', MEMBERS);
  return {
    service: serviceName(request['service']),
    operation: operationName(request['operation']),
    effect: effectName(request['effect']),
    after: wholeNumber(request['after'], 'after', 0, 0),
    count: wholeNumber(request['count'], 'count', 1, 1),
  };
}

/** The faults still to come, oldest first. */
export class Faults {
  #pending: Mutable<PendingFault>[] = [];

  /** Appends faults; throws a TypeError, and adds none, when one of them is malformed. */
  add(list: readonly unknown[]): void {
    this.#pending.push(...list.map(readFault));
  }

  clear(): void {
    this.#pending = [];
  }

  list(): readonly PendingFault[] {
    return this.#pending.map((fault) => ({ ...fault }));
  }

  /** Tells what shall happen to this call and uses it up. A fault that is still skipping counts the call; the first that is not wins. */
  take(service: string, operation: string): FaultEffect | undefined {
    const matching = this.#pending.filter((fault) => matches(fault.service, service) && matches(fault.operation, operation));
    for (const fault of matching) {
      if (fault.after > 0) {
        fault.after -= 1;
        continue;
      }
      if (fault.count === 0) continue;
      fault.count -= 1;
      this.#pending = this.#pending.filter((other) => other.count > 0);
      return fault.effect;
    }
    return undefined;
  }
}
