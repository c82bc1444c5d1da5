// Mail of the service itself: forwards to the operator and digests. No tags, so its events belong to no mailbox.
import { SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import type { ServicePost } from '#domain/ports/mail.ts';
import { SEND_TIMEOUT_MS } from './tagged-message.ts';

let client: SESClient | undefined;

interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const isRefused = (error: unknown): boolean => {
  const status = (error as ServiceError).$metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500;
};

export const openServicePost = ({ configurationSet }: { readonly configurationSet: string }): ServicePost => ({
  send: async ({ from, to, bytes }) => {
    client ??= new SESClient({ maxAttempts: 1 });
    const message = { Source: from, Destinations: [to], RawMessage: { Data: bytes }, ConfigurationSetName: configurationSet };
    try {
      await client.send(new SendRawEmailCommand(message), { abortSignal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
      return 'accepted';
    } catch (error) {
      return isRefused(error) ? 'refused' : 'unknown';
    }
  },
});
