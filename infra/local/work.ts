// What goes on in a stack without anybody asking: waits for it to end, and ends it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSources } from './event-sources.ts';
import type { InvocationResult, LambdaRuntime } from './lambda.ts';
import type { Assembly, LocalFunction } from './model.ts';
import type { Invoke } from './queue-source.ts';
import type { Schedules } from './schedules.ts';

/** Running invocations may end by themselves for this long once the stack is asked to stop. */
const STOP_GRACE_MS = 1500;
/** A drain that takes longer than this says so. */
const DRAIN_PATIENCE_MS = 280_000;
/** Moving the clock waits this long for messages in work, whose visibility would else end under them. */
const SETTLE_MS = 5000;

/** The parts of a stack that work on their own. */
export interface Work {
  readonly runtime: LambdaRuntime;
  readonly sources: EventSources;
  readonly schedules: Schedules;
}

/** Runs functions for event sources, and wakes the streams after each: most invocations write. */
export function invokeAndNudge(runtime: LambdaRuntime, sources: () => EventSources | undefined): Invoke {
  return async (functionId, event, route) => {
    const result = await runtime.invoke(functionId, event, route);
    sources()?.nudge();
    return result;
  };
}

/** Runs a function that an operator names, by its whole name or its end (`on-mail-received`), as `aws lambda invoke` does. */
export async function invokeByName(assembly: Assembly, work: Work, name: string, event: unknown): Promise<InvocationResult> {
  const { logicalId } = findFunction(assembly.functions, name);
  return invokeAndNudge(work.runtime, () => work.sources)(logicalId, event, 'invoke');
}

/** The function of that name, or the only one whose name ends so. Throws RangeError for none and for more than one. */
export function findFunction<Named extends Pick<LocalFunction, 'name'>>(functions: readonly Named[], name: string): Named {
  const exact = functions.find((each) => each.name === name);
  const [found, ...others] = exact ? [exact] : functions.filter((each) => each.name.endsWith(`-${name}`));
  if (!found) throw new RangeError(`no function ${name}; there are: ${namesOf(functions)}`);
  if (others.length > 0) throw new RangeError(`several functions end in ${name}: ${namesOf([found, ...others])}`);
  return found;
}

const namesOf = (functions: readonly Pick<LocalFunction, 'name'>[]): string => functions.map((each) => each.name).join(', ');

/** Resolves true once streams and queues are empty and no function runs; false when patience ends first. */
export async function drain(work: Work): Promise<boolean> {
  const giveUpAt = performance.now() + DRAIN_PATIENCE_MS;
  const patience = new AbortController();
  const timeout = sleep(DRAIN_PATIENCE_MS, false, { signal: patience.signal }).catch(() => false);
  try {
    // Twice: what one function wrote last may wake another.
    for (let quietRounds = 0; quietRounds < 2; ) {
      const isDrained = await Promise.race([drainOnce(work, () => performance.now() > giveUpAt).then(() => true), timeout]);
      if (!isDrained || performance.now() > giveUpAt) return false;
      quietRounds = isIdle(work) ? quietRounds + 1 : 0;
    }
    return true;
  } finally {
    patience.abort();
  }
}

async function drainOnce(work: Work, isOver: () => boolean): Promise<void> {
  work.schedules.tick();
  while (!isIdle(work) && !isOver()) await sleep(5);
  await work.sources.whenDrained(isOver);
}

const isIdle = ({ runtime, sources, schedules }: Work): boolean =>
  runtime.activeCount === 0 && schedules.activeCount === 0 && sources.areQueuesQuiet();

/** Waits, within bounds, until no message is in work. */
export async function settle({ runtime, sources }: Work): Promise<void> {
  const giveUpAt = performance.now() + SETTLE_MS;
  while ((runtime.activeCount > 0 || !sources.areQueuesQuiet()) && performance.now() < giveUpAt) await sleep(5);
}

/** Ends all work: nothing new is begun, what runs gets a moment, then its environments are killed. */
export async function stopWork({ runtime, sources, schedules }: Work): Promise<void> {
  schedules.stop();
  const sourcesEnded = sources.stop();
  const giveUpAt = performance.now() + STOP_GRACE_MS;
  while (runtime.activeCount > 0 && performance.now() < giveUpAt) await sleep(10);
  await runtime.stop();
  await sourcesEnded;
}
