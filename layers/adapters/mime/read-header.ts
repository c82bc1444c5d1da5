// Everything of a ParsedMail that follows from the header fields alone.
import addressparser from 'nodemailer/lib/addressparser/index.js';
import type { MailAddress, ParsedMail } from '#domain/ports/mail-content.ts';
import { decodeWords } from '#adapters/mime/encoded-words.ts';
import { toOneLine } from '#adapters/mime/one-line.ts';
import { cutText } from '#domain/values/text.ts';
import { parseAddress } from '#adapters/mime/parse-address.ts';
import type { HeaderFields } from '#adapters/mime/raw-headers.ts';
import { threadHeadersOf } from '#adapters/mime/thread-headers.ts';

/** What the header says of a message. */
export type HeaderReading = Omit<ParsedMail, 'text' | 'html' | 'snippet' | 'attachments' | 'parseError'>;

const ADDRESS_FIELD_LENGTH_MAX = 100_000;
const ADDRESSES_MAX = 1_000;
const NAME_LENGTH_MAX = 200;
const LIST_FIELDS = ['list-id', 'list-unsubscribe', 'list-post'] as const;
const BULK_PRECEDENCE: ReadonlySet<string> = new Set(['bulk', 'list', 'junk']);

const firstValue = (fields: HeaderFields, name: string): string => fields.get(name)?.[0] ?? '';

/** The keyword before parameters and comments, lower case. */
const keyword = (value: string): string => (value.split(/[;(\s]/, 1)[0] ?? '').toLowerCase();

/** Usable mailboxes of one field value, groups opened; broken ones are left out. */
const mailboxes = (value: string): MailAddress[] => {
  const found: MailAddress[] = [];
  // The addresses are split before encoded-words are decoded: a decoded `,` or `<` must not make another address.
  for (const entry of addressparser(value.slice(0, ADDRESS_FIELD_LENGTH_MAX), { flatten: true })) {
    const parsed = parseAddress((entry.address ?? '').trim());
    if (parsed === undefined) continue;
    const name = cutText(toOneLine(decodeWords(entry.name ?? '')), NAME_LENGTH_MAX);
    found.push(name === '' ? { address: parsed.address } : { address: parsed.address, name });
    if (found.length === ADDRESSES_MAX) break;
  }
  return found;
};

/**
 * The sender of the From header. Two From fields, or two mailboxes in one, name nobody: a forger would put
 * the address that authenticates first and the one to be shown second.
 */
const senderOf = (fields: HeaderFields): MailAddress | undefined => {
  const values = fields.get('from') ?? [];
  const found = values.length === 1 ? mailboxes(values[0] ?? '') : [];
  return found.length === 1 ? found[0] : undefined;
};

const recipientsOf = (fields: HeaderFields, name: string): string[] => {
  const all = (fields.get(name) ?? []).flatMap((value) => mailboxes(value).map((mailbox) => mailbox.address));
  return [...new Set(all)].slice(0, ADDRESSES_MAX);
};

const dateOf = (fields: HeaderFields): number | undefined => {
  const time = Date.parse(firstValue(fields, 'date').slice(0, 100));
  return Number.isFinite(time) && time >= 0 ? Math.floor(time / 1_000) : undefined;
};

const autoSubmittedOf = (fields: HeaderFields): string | undefined => {
  const value = keyword(firstValue(fields, 'auto-submitted')).slice(0, 50);
  return value === '' || value === 'no' ? undefined : value;
};

const isListMail = (fields: HeaderFields): boolean =>
  LIST_FIELDS.some((name) => fields.has(name)) || BULK_PRECEDENCE.has(keyword(firstValue(fields, 'precedence')));

const isBounceMail = (fields: HeaderFields): boolean => {
  const contentType = firstValue(fields, 'content-type').toLowerCase();
  const isReport = contentType.startsWith('multipart/report') && contentType.includes('delivery-status');
  return isReport || firstValue(fields, 'return-path') === '<>' || fields.has('x-failed-recipients');
};

/** Reads sender, recipients, thread, date and the loop-guarding marks. Never throws. */
export const readHeader = (fields: HeaderFields): HeaderReading => {
  const from = senderOf(fields);
  const date = dateOf(fields);
  const autoSubmitted = autoSubmittedOf(fields);
  return {
    ...threadHeadersOf(fields),
    ...(from === undefined ? {} : { from }),
    ...(date === undefined ? {} : { date }),
    ...(autoSubmitted === undefined ? {} : { autoSubmitted }),
    to: recipientsOf(fields, 'to'),
    cc: recipientsOf(fields, 'cc'),
    headers: fields,
    isList: isListMail(fields),
    isBounce: isBounceMail(fields),
    receivedCount: fields.get('received')?.length ?? 0,
  };
};
