// Bounces by SES: it writes the report (RFC 3464) with an empty reverse-path and sends it to where the mail came from.
import { type BounceType, SendBounceCommand, SESClient } from '@aws-sdk/client-ses';
import type { Bouncer, BounceReason } from '#domain/ports/mail.ts';
import { isAboutMessage, isRefused } from './refusals.ts';

const TYPES: Readonly<Record<BounceReason, BounceType>> = {
  unknown_mailbox: 'DoesNotExist',
  message_too_large: 'MessageTooLarge',
  mailbox_full: 'ExceededQuota',
};

let client: SESClient | undefined;

/** Never repeated by the SDK: a bounce whose answer was lost may have been sent. */
export const openBouncer = (mailDomain: string): Bouncer => ({
  bounce: async ({ sesId, failed }) => {
    client ??= new SESClient({ maxAttempts: 1 });
    const command = new SendBounceCommand({
      OriginalMessageId: sesId,
      BounceSender: `mailer-daemon@${mailDomain}`,
      BouncedRecipientInfoList: failed.map(({ address, reason }) => ({ Recipient: address, BounceType: TYPES[reason] })),
    });
    try {
      await client.send(command);
      return 'sent';
    } catch (error) {
      if (isAboutMessage(error)) return 'refused';
      return isRefused(error) ? 'unavailable' : 'unknown';
    }
  },
});
