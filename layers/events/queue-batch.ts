// SQS batches: every message runs by itself, and only those that failed come again.
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { logFault } from '#runtime/logger.ts';

/** Handles a batch; a message whose work throws is reported for redelivery, and ends in the dead-letter queue when it keeps failing. */
export const queueHandler =
  (work: (record: SQSRecord) => Promise<void>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const results = await Promise.allSettled(event.Records.map((record) => work(record)));
    const failed = event.Records.filter((record, index) => {
      const result = results[index];
      if (result?.status === 'rejected') logFault('a queue message failed', result.reason, { messageId: record.messageId });
      return result?.status === 'rejected';
    });
    return { batchItemFailures: failed.map((record) => ({ itemIdentifier: record.messageId })) };
  };
