// Messages over 10 MB: the second version of the SES API takes up to 40. Loaded when the first such message is sent.
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { SEND_TIMEOUT_MS, type TaggedMessage } from './tagged-message.ts';

let client: SESv2Client | undefined;

export const sendLarge = async (message: TaggedMessage): Promise<string> => {
  client ??= new SESv2Client({ maxAttempts: 1 });
  const command = new SendEmailCommand({
    FromEmailAddress: message.from,
    Destination: { ToAddresses: [message.to] },
    Content: { Raw: { Data: message.bytes } },
    ConfigurationSetName: message.configurationSet,
    EmailTags: [...message.tags],
  });
  const { MessageId } = await client.send(command, { abortSignal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
  return MessageId ?? '';
};
