// Stream batches: everything at once, and where that fails one change after the other, so that only what fails comes again.
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { logFault } from '#runtime/logger.ts';

/** Handles changes one by one; reports the first that fails, so that none after it is skipped. */
const oneByOne = async (
  records: readonly DynamoDBRecord[],
  work: (records: readonly DynamoDBRecord[]) => Promise<void>,
): Promise<DynamoDBBatchResponse> => {
  for (const record of records) {
    try {
      await work([record]);
    } catch (error) {
      logFault('a table change failed', error, { eventId: record.eventID ?? '' });
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
    }
  }
  return { batchItemFailures: [] };
};

/** Handles a batch of table changes with `work`, which must bear seeing a change twice. */
export const streamHandler =
  (work: (records: readonly DynamoDBRecord[]) => Promise<void>) =>
  async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    try {
      await work(event.Records);
      return { batchItemFailures: [] };
    } catch (error) {
      logFault('a batch of table changes failed and is taken apart', error, { changes: event.Records.length });
      return oneByOne(event.Records, work);
    }
  };
