// Batches for functions that queues and streams invoke: what they report as failed comes again, as AWS does it.
import type { BatchFunction } from '../world/functions.ts';
import type { World } from '../world/world.ts';
import { again, type Deed, OVER } from './command.ts';

interface BatchRecord {
  readonly id: string;
  readonly record: unknown;
}

/** SQS messages by their bodies. */
export const queueRecords = (bodies: readonly string[]): BatchRecord[] =>
  bodies.map((body, index) => ({ id: `m${index}`, record: { messageId: `m${index}`, body } }));

/** Delivers records until none is reported as failed; `done` hears of each that was dealt with. */
export const batchDeed = (
  world: World,
  label: string,
  invoke: BatchFunction,
  records: readonly BatchRecord[],
  done: (index: number) => void = () => undefined,
): Deed => {
  let left = records.map((each, index) => ({ ...each, index }));
  return {
    label,
    isRepeated: true,
    run: async () => {
      const { batchItemFailures } = await invoke({ Records: left.map(({ record }) => record) });
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      world.note(`  ${label} → ${failed.size} of ${left.length} failed`);
      for (const { id, index } of left) if (!failed.has(id)) done(index);
      left = left.filter(({ id }) => failed.has(id));
      return left.length === 0 ? OVER : again();
    },
  };
};
