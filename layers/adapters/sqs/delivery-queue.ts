// The queues of webhook deliveries: one message a job.
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { InfrastructureError } from '#domain/errors.ts';
import type { DeliveryJob, DeliveryQueue, Lane } from '#domain/ports/webhooks.ts';
import { patience } from '#adapters/sdk-patience.ts';

const CALL_MS = 5000;

/** SQS takes ten messages at a time, and delays up to 15 minutes. */
const BATCH_MAX = 10;
const DELAY_MAX_SECONDS = 900;
const TRIES_MAX = 3;

interface Entry {
  readonly job: DeliveryJob;
  readonly delaySeconds: number;
}

const sendBatch = async (client: SQSClient, queueUrl: string, entries: readonly Entry[], triesLeft = TRIES_MAX): Promise<void> => {
  const { Failed = [] } = await client.send(
    new SendMessageBatchCommand({
      QueueUrl: queueUrl,
      Entries: entries.map(({ job, delaySeconds }, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(job),
        DelaySeconds: Math.min(Math.max(0, Math.ceil(delaySeconds)), DELAY_MAX_SECONDS),
      })),
    }),
  );
  if (Failed.length === 0) return;
  // Only those: what was queued beside them would be delivered twice.
  const failed = entries.filter((_, index) => Failed.some(({ Id }) => Id === String(index)));
  if (triesLeft > 1) return sendBatch(client, queueUrl, failed, triesLeft - 1);
  throw new InfrastructureError(`${Failed.length} deliveries could not be queued: ${Failed[0]?.Code ?? ''}`);
};

/** Opens the queues by their URLs. */
export const openDeliveryQueue = (queueUrls: Readonly<Record<Lane, string>>): DeliveryQueue => {
  const client = new SQSClient(patience(CALL_MS));
  return {
    send: async (lane, entries) => {
      const starts = Array.from({ length: Math.ceil(entries.length / BATCH_MAX) }, (_, batch) => batch * BATCH_MAX);
      await Promise.all(starts.map((start) => sendBatch(client, queueUrls[lane], entries.slice(start, start + BATCH_MAX))));
    },
  };
};
