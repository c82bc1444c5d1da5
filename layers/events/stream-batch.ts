// Stream batches: in order, and from the first failure on they come again.
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { logFault } from '#runtime/logger.ts';

/** Handles a batch of table changes one after the other; reports the first that fails, so that none after it is skipped. */
export const streamHandler =
  (work: (record: DynamoDBRecord) => Promise<void>) =>
  async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    for (const record of event.Records) {
      try {
        await work(record);
      } catch (error) {
        logFault('a table change failed', error, { eventId: record.eventID ?? '' });
        return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  };
