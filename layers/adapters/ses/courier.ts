// SES sending. It has no idempotency token, so the SDK must never repeat a call whose answer was lost: the retries are
// off, and only an answer that says "throttled, not taken" is tried again here.
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import type { Courier } from '#domain/ports/stores.ts';
import { isRefused, isThrottled } from './refusals.ts';
import { SEND_TIMEOUT_MS, type TaggedMessage } from './tagged-message.ts';

type Handed = Awaited<ReturnType<Courier['send']>>;

export interface CourierOptions {
  readonly configurationSet: string;
}

/** The classic API ends at 10 MB of MIME. */
const CLASSIC_BYTES_MAX = 10 * 1024 * 1024;
const THROTTLED_TRIES = 3;
const THROTTLED_WAIT_MS = 300;

let client: SESClient | undefined;

const sendClassic = async (message: TaggedMessage): Promise<string> => {
  client ??= new SESClient({ maxAttempts: 1 });
  const command = new SendRawEmailCommand({
    Source: message.from,
    Destinations: [message.to],
    RawMessage: { Data: message.bytes },
    ConfigurationSetName: message.configurationSet,
    Tags: [...message.tags],
  });
  const { MessageId } = await client.send(command, { abortSignal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
  return MessageId ?? '';
};

const sendOnce = async (message: TaggedMessage): Promise<string> => {
  if (message.bytes.byteLength <= CLASSIC_BYTES_MAX) return sendClassic(message);
  const { sendLarge } = await import('./large-messages.ts');
  return sendLarge(message);
};

const handOver = async (message: TaggedMessage, tries: number): Promise<Handed> => {
  try {
    return { result: 'accepted', wireId: await sendOnce(message) };
  } catch (error) {
    if (isThrottled(error) && tries > 1) {
      await new Promise((resolve) => setTimeout(resolve, THROTTLED_WAIT_MS * (0.5 + Math.random())));
      return handOver(message, tries - 1);
    }
    if (isRefused(error)) return { result: 'refused', reason: error instanceof Error ? error.message : 'refused' };
    return { result: 'unknown' };
  }
};

export const openCourier = ({ configurationSet }: CourierOptions): Courier => ({
  send: (message) => {
    const tags = [
      { Name: 'email_id', Value: message.emailId },
      { Name: 'wallet', Value: message.wallet },
    ];
    return handOver({ ...message, configurationSet, tags }, THROTTLED_TRIES);
  },
});
