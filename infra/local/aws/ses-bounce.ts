// SES SendBounce: composes a delivery status notification (RFC 3464) for a mail that was received here, with an empty
// reverse-path so that it can never be answered by another bounce, and leaves it in the outbox.
import { randomBytes } from 'node:crypto';
import type { Assembly } from '#infra/local/model.ts';
import type { AwsCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import { queryReply, type Reply } from './replies.ts';
import type { CallContext } from './call-context.ts';
import { addressesIn, type MailHead, parseHead, valuesOf } from './mail-head.ts';
import { mailDate, messageIdHeader, newMessageId, writeToOutbox } from './outbox.ts';
import { checkIdentities } from './ses-identities.ts';
import { callUpstream, readAll } from './upstream.ts';

/** Status and wording of SES's bounce types, for recipients that come without fields of their own. */
const BOUNCE_TYPES: Readonly<Record<string, readonly [string, string]>> = {
  DoesNotExist: ['5.1.1', '550 5.1.1 user unknown'],
  MessageTooLarge: ['5.3.4', '552 5.3.4 message too large'],
  ExceededQuota: ['5.2.2', '552 5.2.2 mailbox full'],
  ContentRejected: ['5.6.1', '500 5.6.1 message content rejected'],
  Undefined: ['5.0.0', '500 5.0.0 undefined failure'],
  TemporaryFailure: ['4.0.0', '450 4.0.0 temporary failure'],
};

interface BouncedRecipient {
  readonly address: string;
  readonly action: string;
  readonly status: string;
  readonly diagnosticCode: string;
}

/** Header values come from the caller: a line break in one would add header lines of its choice. */
const oneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ').trim();

const formText = (call: AwsCall, name: string): string => oneLine(String(call.input[name] ?? ''));

function recipientAt(call: AwsCall, index: number): BouncedRecipient | undefined {
  const prefix = `BouncedRecipientInfoList.member.${index}`;
  const address = formText(call, `${prefix}.Recipient`);
  if (address === '') return undefined;
  const [status, diagnosis] = BOUNCE_TYPES[formText(call, `${prefix}.BounceType`)] ?? ['5.0.0', '500 5.0.0 undefined failure'];
  return {
    address,
    action: formText(call, `${prefix}.RecipientDsnFields.Action`) || 'failed',
    status: formText(call, `${prefix}.RecipientDsnFields.Status`) || status,
    diagnosticCode: formText(call, `${prefix}.RecipientDsnFields.DiagnosticCode`) || `smtp; ${diagnosis}`,
  };
}

function bouncedRecipients(call: AwsCall): readonly BouncedRecipient[] {
  const found: BouncedRecipient[] = [];
  for (let recipient = recipientAt(call, 1); recipient; recipient = recipientAt(call, found.length + 1)) found.push(recipient);
  if (found.length === 0) throw new AwsError(400, 'InvalidParameterValue', 'BouncedRecipientInfoList must not be empty.');
  return found;
}

/** Finds the received mail where the receipt rules store it; SES knows it by the same id. */
async function originalHead(fauxqsUrl: string, assembly: Assembly, messageId: string): Promise<MailHead | undefined> {
  for (const { s3 } of assembly.receiptRules) {
    if (!s3) continue;
    const path = `/${s3.bucket}/${`${s3.prefix}${messageId}`.split('/').map(encodeURIComponent).join('/')}`;
    const reply = await callUpstream(fauxqsUrl, { method: 'GET', path, headers: {} });
    const bytes = await readAll(reply.body);
    if (reply.status === 200) return parseHead(bytes);
  }
  return undefined;
}

/** Where the notification goes: the reverse-path of the original, else its From. */
function addresseeOf(original: MailHead | undefined): string | undefined {
  if (!original) return undefined;
  return [...valuesOf(original, 'Return-Path'), ...valuesOf(original, 'From')].flatMap(addressesIn)[0];
}

function deliveryStatus(call: AwsCall, recipients: readonly BouncedRecipient[], nowMs: number): readonly string[] {
  const arrival = formText(call, 'MessageDsn.ArrivalDate');
  const domain = formText(call, 'BounceSender').split('@').at(-1) ?? 'localhost';
  return [
    `Reporting-MTA: ${formText(call, 'MessageDsn.ReportingMta') || `dns; ${domain}`}`,
    `Arrival-Date: ${mailDate(arrival === '' ? nowMs : Date.parse(arrival))}`,
    ...recipients.flatMap(({ address, action, status, diagnosticCode }) => [
      '',
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: ${diagnosticCode}`,
    ]),
  ];
}

interface Notification {
  readonly call: AwsCall;
  readonly messageId: string;
  readonly nowMs: number;
  readonly recipients: readonly BouncedRecipient[];
  readonly original: MailHead | undefined;
}

function headerLines({ call, messageId, nowMs, original }: Notification, boundary: string): readonly string[] {
  const addressee = addresseeOf(original);
  const answered = original ? valuesOf(original, 'Message-ID')[0] : undefined;
  return [
    'Return-Path: <>',
    `From: Mail Delivery Subsystem <${addressesIn(formText(call, 'BounceSender'))[0] ?? ''}>`,
    `To: ${addressee === undefined ? 'undisclosed-recipients:;' : `<${addressee}>`}`,
    'Subject: Delivery Status Notification (Failure)',
    `Date: ${mailDate(nowMs)}`,
    `Message-ID: ${messageIdHeader(messageId)}`,
    ...(answered === undefined ? [] : [`In-Reply-To: ${oneLine(answered)}`, `References: ${oneLine(answered)}`]),
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
  ];
}

function explanationOf({ call, recipients }: Notification): string {
  const given = String(call.input['Explanation'] ?? '').replace(/\r?\n/g, '\r\n');
  return given || `Your message could not be delivered to:\r\n${recipients.map(({ address }) => address).join('\r\n')}`;
}

function composeNotification(notification: Notification): Buffer {
  const { call, nowMs, recipients, original } = notification;
  const boundary = `dsn-${randomBytes(12).toString('hex')}`;
  const part = (type: string, lines: readonly string[]): readonly string[] => [`--${boundary}`, `Content-Type: ${type}`, '', ...lines, ''];
  const originalLines = original?.fields.map(({ raw }) => raw.replace(/\r?\n$/, '').replace(/\r?\n/g, '\r\n'));
  const lines = [
    ...headerLines(notification, boundary),
    '',
    ...part('text/plain; charset=utf-8', [Buffer.from(explanationOf(notification)).toString('latin1')]),
    ...part('message/delivery-status', deliveryStatus(call, recipients, nowMs)),
    ...(originalLines ? part('text/rfc822-headers', originalLines) : []),
    `--${boundary}--`,
    '',
  ];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

/**
 * Answers SendBounce.
 *
 * @throws AwsError MessageRejected when the bounce sender is not verified, InvalidParameterValue without recipients
 */
export async function sendBounce(call: AwsCall, context: CallContext): Promise<Reply> {
  const recipients = bouncedRecipients(call);
  checkIdentities(context.assembly, call.region, [addressesIn(formText(call, 'BounceSender'))[0] ?? formText(call, 'BounceSender')]);
  const nowMs = context.clock.nowMs();
  const messageId = newMessageId(nowMs);
  const original = await originalHead(context.fauxqsUrl, context.assembly, formText(call, 'OriginalMessageId'));
  await writeToOutbox(context.outboxDir, messageId, composeNotification({ call, messageId, nowMs, recipients, original }));
  return queryReply(call, `<MessageId>${messageId}</MessageId>`);
}
