// What SES says of a received mail and of a sent one; only the parts that this service believes are read.
import * as z from 'zod';

const VERDICTS = ['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED', 'DISABLED'] as const;

const verdict = z.looseObject({ status: z.enum(VERDICTS).catch('PROCESSING_FAILED') }).transform(({ status }) => status);

/** A received mail: envelope recipients come from `receipt`, never from headers, which anyone can write. */
const ReceivedMail = z.object({
  notificationType: z.literal('Received'),
  mail: z.object({ messageId: z.string(), source: z.string(), timestamp: z.string() }),
  receipt: z.object({
    recipients: z.array(z.string()),
    spfVerdict: verdict,
    dkimVerdict: verdict,
    dmarcVerdict: verdict,
    spamVerdict: verdict,
    virusVerdict: verdict,
    action: z.object({ objectKey: z.string() }),
  }),
});
export type ReceivedMail = z.output<typeof ReceivedMail>;

export const SENT_EVENTS = ['Send', 'Delivery', 'Bounce', 'Complaint', 'Reject', 'DeliveryDelay'] as const;

/** An event of a sent mail, with the tags that the message was given. */
const SentEvent = z.object({
  eventType: z.enum(SENT_EVENTS),
  mail: z.object({
    messageId: z.string(),
    timestamp: z.string(),
    destination: z.array(z.string()),
    tags: z.looseObject({ email_id: z.array(z.string()).optional(), wallet: z.array(z.string()).optional() }),
  }),
  bounce: z.looseObject({ bounceType: z.string() }).optional(),
});
export type SentEvent = z.output<typeof SentEvent>;

/** @throws when the body is no such notification: the message then ends in the dead-letter queue, for a person to see. */
export const parseReceivedMail = (body: string): ReceivedMail => ReceivedMail.parse(JSON.parse(body));

/** What SES publishes once when a topic is named as a destination: plain text, about no message. */
const TOPIC_CHECK = 'Successfully validated SNS topic for Amazon SES event publishing.';

export const isTopicCheck = (body: string): boolean => body.trim() === TOPIC_CHECK;

/** @throws like `parseReceivedMail`. */
export const parseSentEvent = (body: string): SentEvent => SentEvent.parse(JSON.parse(body));
