// The JSON that SES publishes when an S3 action has stored a mail: fields and spelling as SES documents them
// ("Contents of notifications for Amazon SES email receiving").
import { addressesIn, valuesOf } from '../aws/mail-head.ts';
import { decodeWords, splitAddressList } from './header-text.ts';
import { dmarcPolicyOf, type ReceivedMail, type Verdicts } from './received-mail.ts';
import type { Header } from './stamped-headers.ts';

/** Beyond this SES leaves headers out of the notification and says so. */
const HEADERS_BYTES_MAX = 10 * 1024;

export interface StoredMail {
  readonly mail: ReceivedMail;
  /** The envelope recipients that the rule took. */
  readonly recipients: readonly string[];
  readonly verdicts: Verdicts;
  readonly stamp: readonly Header[];
  readonly bucket: string;
  readonly prefix: string;
  readonly key: string;
  readonly topicArn: string;
  readonly processingMs: number;
}

/** Answers the notification's body as an object. */
export function notificationOf(stored: StoredMail): unknown {
  const timestamp = new Date(stored.mail.receivedMs).toISOString();
  return { notificationType: 'Received', mail: mailPart(stored, timestamp), receipt: receiptPart(stored, timestamp) };
}

function mailPart({ mail, stamp }: StoredMail, timestamp: string): unknown {
  const { headers, isTruncated } = truncate([...stamp, ...originalHeaders(mail)]);
  return {
    timestamp,
    source: mail.source,
    messageId: mail.messageId,
    // From the headers, so blind copies are missing: who mail is for stands in `receipt.recipients` alone.
    destination: ['To', 'Cc'].flatMap((name) => valuesOf(mail.head, name).flatMap(addressesIn)),
    headersTruncated: isTruncated,
    headers,
    commonHeaders: commonHeaders(mail),
  };
}

function receiptPart(stored: StoredMail, timestamp: string): unknown {
  const { verdicts } = stored;
  return {
    timestamp,
    processingTimeMillis: Math.round(stored.processingMs),
    recipients: stored.recipients,
    spamVerdict: { status: verdicts.spam },
    virusVerdict: { status: verdicts.virus },
    spfVerdict: { status: verdicts.spf },
    dkimVerdict: { status: verdicts.dkim },
    dmarcVerdict: { status: verdicts.dmarc },
    ...(verdicts.dmarc === 'FAIL' ? { dmarcPolicy: dmarcPolicyOf(stored.mail) } : {}),
    action: {
      type: 'S3',
      topicArn: stored.topicArn,
      bucketName: stored.bucket,
      objectKeyPrefix: stored.prefix,
      objectKey: stored.key,
    },
  };
}

const originalHeaders = (mail: ReceivedMail): Header[] =>
  mail.head.fields.filter((field) => field.name !== '').map(({ name, value }) => ({ name, value: decodeWords(value) }));

function truncate(headers: readonly Header[]): { headers: readonly Header[]; isTruncated: boolean } {
  let bytes = 0;
  const cut = headers.findIndex(({ name, value }) => {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    return bytes > HEADERS_BYTES_MAX;
  });
  return cut < 0 ? { headers, isTruncated: false } : { headers: headers.slice(0, cut), isTruncated: true };
}

function commonHeaders(mail: ReceivedMail): Readonly<Record<string, unknown>> {
  const first = (name: string): string | undefined => valuesOf(mail.head, name)[0];
  const text = (name: string): string | undefined => optionally(first(name), decodeWords);
  const list = (name: string): readonly string[] | undefined => optionally(first(name), splitAddressList);
  const all = {
    returnPath: mail.source,
    from: list('From'),
    sender: optionally(first('Sender'), (value) => addressesIn(value)[0]),
    replyTo: list('Reply-To'),
    date: text('Date'),
    to: list('To'),
    cc: list('Cc'),
    bcc: list('Bcc'),
    messageId: text('Message-ID'),
    subject: text('Subject'),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

const optionally = <T, R>(value: T | undefined, read: (value: T) => R): R | undefined => (value === undefined ? undefined : read(value));
