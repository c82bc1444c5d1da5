// The headers that SES puts before a mail it stores. Everything after them is the original, byte for byte.
import { addressesIn, valuesOf } from '../aws/mail-head.ts';
import type { ReceivedMail, Verdicts, VerdictStatus } from './received-mail.ts';

export interface Header {
  readonly name: string;
  readonly value: string;
}

const HOST = 'inbound-smtp.us-east-1.amazonaws.com';

/** How the verdicts read in `Authentication-Results` (RFC 8601) and `Received-SPF` (RFC 7208). */
const RESULTS: Readonly<Record<VerdictStatus, string>> = {
  PASS: 'pass',
  FAIL: 'fail',
  GRAY: 'none',
  PROCESSING_FAILED: 'temperror',
  DISABLED: 'none',
};

/** Answers SES's headers in its order. `recipients` are those of the rule; only a single one is named in `Received`. */
export function stampFor(mail: ReceivedMail, recipients: readonly string[], verdicts: Verdicts): readonly Header[] {
  const spf = `${RESULTS[verdicts.spf]} (spfCheck: domain of ${domainOf(mail.source)} checked against ${mail.clientAddress})`;
  const client = `client-ip=${mail.clientAddress}; envelope-from=${mail.source}; helo=${mail.clientName};`;
  return [
    { name: 'Return-Path', value: `<${mail.source}>` },
    { name: 'Received', value: receivedLine(mail, recipients) },
    { name: 'X-SES-Spam-Verdict', value: verdicts.spam },
    { name: 'X-SES-Virus-Verdict', value: verdicts.virus },
    { name: 'Received-SPF', value: `${spf} ${client}` },
    { name: 'Authentication-Results', value: authenticationResults(mail, verdicts, `spf=${spf} ${client}`) },
    { name: 'X-SES-RECEIPT', value: Buffer.from(`local:${mail.messageId}`).toString('base64') },
  ];
}

/** Puts the headers before the original bytes. */
export function withStamp(headers: readonly Header[], original: Buffer): Buffer {
  return Buffer.concat([Buffer.from(headers.map(({ name, value }) => `${name}: ${value}\r\n`).join('')), original]);
}

function receivedLine(mail: ReceivedMail, recipients: readonly string[]): string {
  // With several recipients the line would tell each of the others, blind copies included.
  const [only] = recipients.length === 1 ? recipients : [];
  const receiver = only === undefined ? '' : ` for ${only}`;
  const date = new Date(mail.receivedMs).toUTCString().replace('GMT', '+0000 (UTC)');
  const client = `${mail.clientName} (${mail.clientName} [${mail.clientAddress}])`;
  return `from ${client} by ${HOST} with SMTP id ${mail.messageId}${receiver}; ${date}`;
}

function authenticationResults(mail: ReceivedMail, verdicts: Verdicts, spf: string): string {
  const from = domainOf(addressesIn(valuesOf(mail.head, 'From')[0] ?? '')[0] ?? mail.source);
  const dkim = `dkim=${RESULTS[verdicts.dkim]} header.i=@${from};`;
  return `amazonses.com; ${spf} ${dkim} dmarc=${RESULTS[verdicts.dmarc]} header.from=${from};`;
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1) || 'unknown';
