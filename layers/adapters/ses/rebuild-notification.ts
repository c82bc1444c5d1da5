// Writes the notification of a received mail anew from what SES stamped on it, for mail whose notification was lost. SES
// puts its headers first, so only the first field of each name is believed: the mail itself may bring more of them.
import { parseAddress } from '#adapters/mime/parse-address.ts';
import { type HeaderFields, readHeaderFields } from '#adapters/mime/raw-headers.ts';
import { readHeader } from '#adapters/mime/read-header.ts';
import type { RebuildNotification } from '#domain/mail/sweep-journal.ts';

const HEAD_BYTES = 262_144;
const RESULTS: Readonly<Record<string, string>> = { pass: 'PASS', fail: 'FAIL', softfail: 'GRAY', neutral: 'GRAY', none: 'GRAY' };

const first = (fields: HeaderFields, name: string): string => fields.get(name)?.[0] ?? '';

/** What senders wrote themselves stands in comments, in quotes, and as the values of properties. */
const QUOTED = /"(?:[^"\\]|\\.)*"|\([^()]*\)/g;

/**
 * One method's result, at the beginning of its clause: an envelope sender may be called `dmarc=pass@example.com`. Two
 * results that contradict each other are none.
 */
const resultOf = (fields: HeaderFields, method: string): string => {
  const clauses = first(fields, 'authentication-results').slice(0, 4096).replace(QUOTED, ' ').split(';');
  const stated = clauses.flatMap((clause) => new RegExp(`^\\s*${method}=([a-z]+)(?=\\s|$)`, 'i').exec(clause)?.[1]?.toLowerCase() ?? []);
  const [only, ...others] = new Set(stated);
  return others.length === 0 ? (RESULTS[only ?? ''] ?? 'PROCESSING_FAILED') : 'PROCESSING_FAILED';
};

const scanResult = (fields: HeaderFields, name: string): string => first(fields, name) || 'PROCESSING_FAILED';

/** SES names the recipient in its Received line when there is one alone; else the visible recipients are all that is known. */
const recipientsOf = (fields: HeaderFields, mailDomain: string): string[] => {
  const named = /\bfor <?([^\s<>;]{3,320})>?;/.exec(first(fields, 'received').slice(0, 4096))?.[1];
  const only = named === undefined ? undefined : parseAddress(named)?.address;
  const visible = readHeader(fields);
  const all = only === undefined ? [...visible.to, ...visible.cc] : [only];
  return [...new Set(all)].filter((address) => address.endsWith(`@${mailDomain}`));
};

const sourceOf = (fields: HeaderFields): string => first(fields, 'return-path').replace(/^<|>$/g, '');

/** The notification's JSON; undefined when nothing tells for whom the mail is. */
export const rebuildNotification: RebuildNotification = (entry, head, mailDomain) => {
  const fields = readHeaderFields(head, HEAD_BYTES);
  const recipients = recipientsOf(fields, mailDomain);
  if (recipients.length === 0) return undefined;
  const verdict = (status: string) => ({ status });
  return JSON.stringify({
    notificationType: 'Received',
    mail: { messageId: entry.sesId, source: sourceOf(fields), timestamp: new Date(entry.storedAt * 1000).toISOString() },
    receipt: {
      recipients,
      spfVerdict: verdict(resultOf(fields, 'spf')),
      dkimVerdict: verdict(resultOf(fields, 'dkim')),
      dmarcVerdict: verdict(resultOf(fields, 'dmarc')),
      spamVerdict: verdict(scanResult(fields, 'x-ses-spam-verdict')),
      virusVerdict: verdict(scanResult(fields, 'x-ses-virus-verdict')),
      action: { objectKey: entry.key },
    },
  });
};
