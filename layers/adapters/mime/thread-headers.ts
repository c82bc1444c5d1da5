// The header fields that put a message into its thread, and the subject.
import type { ThreadHeaders } from '#domain/ports/mail-content.ts';
import { decodeWords } from '#adapters/mime/encoded-words.ts';
import { toOneLine } from '#adapters/mime/one-line.ts';
import { cutText } from '#domain/values/text.ts';
import { readHeaderFields, type HeaderFields } from '#adapters/mime/raw-headers.ts';

const HEAD_BYTES = 65_536;
/** RFC 5322's longest line. */
const SUBJECT_LENGTH_MAX = 998;
/** A References chain keeps its first id and the newest ones. */
const REFERENCES_MAX = 100;
/** `<id>` without blanks, brackets or non-ASCII: it will be written into headers of our own. */
const MESSAGE_ID = /<([!-;=?-~]{1,500})>/g;

/** Message ids of a field value, brackets kept, malformed ones dropped. */
const messageIds = (value: string): string[] => Array.from(value.matchAll(MESSAGE_ID), (match) => match[0]);

const firstId = (fields: HeaderFields, name: string): string | undefined => messageIds(fields.get(name)?.[0] ?? '')[0];

const referenceChain = (fields: HeaderFields): string[] => {
  const ids = messageIds(fields.get('references')?.[0] ?? '');
  return ids.length <= REFERENCES_MAX ? ids : [...ids.slice(0, 1), ...ids.slice(1 - REFERENCES_MAX)];
};

/** Decoded text of the first field of that name: one line, cut at a length in UTF-16 units. */
export const decodedField = (fields: HeaderFields, name: string, lengthMax: number): string =>
  cutText(toOneLine(decodeWords(fields.get(name)?.[0] ?? '')), lengthMax);

/** The thread headers of fields already read. */
export const threadHeadersOf = (fields: HeaderFields): ThreadHeaders => {
  const messageId = firstId(fields, 'message-id');
  const inReplyTo = firstId(fields, 'in-reply-to');
  return {
    ...(messageId === undefined ? {} : { messageId }),
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    references: referenceChain(fields),
    subject: decodedField(fields, 'subject', SUBJECT_LENGTH_MAX),
  };
};

/** Message-ID, In-Reply-To, References and the decoded subject, from the first 64 KB of a message. Never throws. */
export const readThreadHeaders = (bytes: Uint8Array): ThreadHeaders => threadHeadersOf(readHeaderFields(bytes, HEAD_BYTES));
