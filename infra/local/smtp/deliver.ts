// What SES does with an accepted mail: runs the S3 action of every rule that takes a recipient, then tells its topic.
import { uploadInParts } from '../aws/s3-upload.ts';
import { callUpstream, readAll } from '../aws/upstream.ts';
import type { LocalReceiptRule } from '../model.ts';
import { notificationOf } from './notification.ts';
import { matchesRule } from './receipt-rules.ts';
import { type ReceivedMail, verdictsOn } from './received-mail.ts';
import { stampFor, withStamp } from './stamped-headers.ts';

// fauxqs takes bodies up to 11 MiB.
const SINGLE_PUT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Stores the mail and publishes its notification, rule by rule. Once this resolves, a hard kill of everything loses
 * nothing. Throws when any of it failed: the client then has to send the mail again.
 */
export async function deliver(mail: ReceivedMail, rules: readonly LocalReceiptRule[], fauxqsUrl: string): Promise<void> {
  for (const rule of rules) {
    const recipients = mail.recipients.filter((recipient) => matchesRule(rule, recipient));
    if (recipients.length > 0) await runRule(mail, rule, recipients, fauxqsUrl);
  }
}

async function runRule(mail: ReceivedMail, rule: LocalReceiptRule, recipients: readonly string[], fauxqsUrl: string): Promise<void> {
  if (rule.s3 === undefined) return;
  const began = performance.now();
  const { bucket, prefix, topicArn } = rule.s3;
  const key = `${prefix}${mail.messageId}`;
  const verdicts = verdictsOn(mail, rule.scanEnabled);
  const stamp = stampFor(mail, recipients, verdicts);
  await putObject(fauxqsUrl, bucket, key, withStamp(stamp, mail.raw));
  if (topicArn === undefined) return;
  const processingMs = performance.now() - began;
  await publish(fauxqsUrl, topicArn, notificationOf({ mail, recipients, verdicts, stamp, bucket, prefix, key, topicArn, processingMs }));
}

async function putObject(fauxqsUrl: string, bucket: string, key: string, bytes: Buffer): Promise<void> {
  const path = `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const headers = { 'content-type': 'application/octet-stream' };
  if (bytes.length <= SINGLE_PUT_BYTES_MAX) await call(fauxqsUrl, 'PUT', path, headers, bytes);
  else await uploadInParts({ fauxqsUrl, path, headers, bytes, partBytes: SINGLE_PUT_BYTES_MAX });
}

async function publish(fauxqsUrl: string, topicArn: string, notification: unknown): Promise<void> {
  const form = new URLSearchParams({
    Action: 'Publish',
    Version: '2010-03-31',
    TopicArn: topicArn,
    Subject: 'Amazon SES Email Receipt Notification',
    Message: JSON.stringify(notification),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: scopeOf(topicArn) };
  await call(fauxqsUrl, 'POST', '/', headers, Buffer.from(form.toString()));
}

/** The emulator checks no signature, but takes the region from where one would stand. */
const scopeOf = (arn: string): string =>
  `AWS4-HMAC-SHA256 Credential=local/20200101/${arn.split(':')[3] ?? ''}/sns/aws4_request, SignedHeaders=host, Signature=none`;

async function call(
  fauxqsUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<void> {
  const reply = await callUpstream(fauxqsUrl, { method, path, headers, body });
  // Read to its end also on success, so that the connection can be used again.
  const text = (await readAll(reply.body)).toString();
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${text.slice(0, 300)}`);
}
