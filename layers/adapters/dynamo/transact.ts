// One transaction: runs a list of writes, maps the cancellation reasons back to the failures that the writes name,
// and repeats what only lost a race. The SDK does not retry a cancelled transaction, so this does.
import { randomUUID } from 'node:crypto';
import { type AttributeValue, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Failure, fail, InfrastructureError, invariant, ok, type Outcome } from '#domain/errors.ts';
import { countMetric } from '#runtime/metrics.ts';
import type { Item, Table } from './table.ts';
import { TABLE_SCHEMA } from './table-schema.ts';

export type TransactAction = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export interface Write {
  readonly action: TransactAction;
  /** The failure that a refused condition means; gets the item as it stands when the action asked for it. */
  readonly refused: (item: Item | undefined) => Failure;
}

/** DynamoDB takes at most this many actions in one transaction. */
export const ACTIONS_MAX = 100;

const TRIES_MAX = 12;
const WAIT_BASE_MS = 15;
const WAIT_MAX_MS = 600;
const PASSING_REASONS: ReadonlySet<string> = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
const PASSING_ERRORS: ReadonlySet<string> = new Set([
  'TransactionInProgressException',
  'TransactionConflictException',
  'ThrottlingException',
]);

interface Reason {
  readonly Code?: string | undefined;
  readonly Item?: Record<string, AttributeValue> | undefined;
}

const refusalOf = (writes: readonly Write[], reasons: readonly Reason[]): Failure | undefined => {
  const index = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
  if (index < 0) return undefined;
  const item = reasons[index]?.Item;
  // The document client turns replies into plain values, but not errors.
  return writes[index]?.refused(item && unmarshall(item));
};

/** A partition that has reached the 10 GB which local indexes allow takes no more until something in it is deleted. */
const fullPartition = (writes: readonly Write[], reasons: readonly Reason[]): string | undefined => {
  const index = reasons.findIndex((reason) => reason.Code === 'ItemCollectionSizeLimitExceeded');
  const action = writes[index]?.action;
  const key = action?.Put?.Item ?? action?.Update?.Key ?? action?.Delete?.Key;
  return key && String(key[TABLE_SCHEMA.partitionKey]);
};

const isPassing = (error: unknown): boolean => {
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).some((reason) => PASSING_REASONS.has(reason.Code ?? ''));
  }
  return error instanceof Error && PASSING_ERRORS.has(error.name);
};

/** A call that was refused as such (permission, validation) is refused again however often it is made. */
const isOurFault = (error: unknown): boolean => {
  const status = (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500;
};

/** Tells the operator, who has an alarm on the count and finds the partition in the log. */
const lost = (error: unknown, writes: readonly Write[], reasons: readonly Reason[]): InfrastructureError => {
  const partition = fullPartition(writes, reasons);
  if (partition !== undefined) countMetric('partition_full', 'ten_gigabytes');
  const message = partition === undefined ? 'the transaction could not be committed' : `the partition ${partition} is full`;
  return new InfrastructureError(message, { cause: error, retryable: !isOurFault(error) });
};

/** Full jitter: losers of one race do not meet again at the same moment. */
const pause = (attempt: number): Promise<void> => {
  const limit = Math.min(WAIT_MAX_MS, WAIT_BASE_MS * 2 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * limit));
};

const attemptOnce = async (table: Table, writes: readonly Write[], token: string): Promise<Outcome<void> | 'again' | 'under way'> => {
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes.map((write) => write.action), ClientRequestToken: token }));
    return ok(undefined);
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    const refusal = refusalOf(writes, reasons);
    if (refusal) return refusal;
    if (error instanceof Error && error.name === 'TransactionInProgressException') return 'under way';
    if (isPassing(error)) return 'again';
    throw lost(error, writes, reasons);
  }
};

/**
 * Commits all writes or none.
 *
 * @returns the refusal of the first write whose condition failed, or `try_again` when other writers won every race.
 */
export const transact = async (table: Table, writes: readonly Write[]): Promise<Outcome<void>> => {
  invariant(writes.length <= ACTIONS_MAX, `a transaction of ${writes.length} actions`);
  let token = randomUUID();
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    const result = await attemptOnce(table, writes, token);
    if (typeof result !== 'string') return result;
    // What may yet succeed is asked for under its own name; under another it would be refused by itself.
    if (result === 'again') token = randomUUID();
    await pause(attempt);
  }
  return fail('try_again', { retryAfterSeconds: 1 });
};
