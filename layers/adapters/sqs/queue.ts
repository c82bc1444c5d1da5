// Queues that work waits in.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { patience } from '#adapters/sdk-patience.ts';

const CALL_MS = 5000;

/** Something that takes messages of text. */
export interface Queue {
  put(body: string): Promise<void>;
}

let client: SQSClient | undefined;

/** Opens a queue by its URL; one client for the life of a function. */
export const openQueue = (url: string): Queue => ({
  put: async (body) => {
    client ??= new SQSClient(patience(CALL_MS));
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body }));
  },
});
