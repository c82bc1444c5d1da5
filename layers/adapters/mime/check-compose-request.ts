// Refuses whatever could forge a header before the composer sees it. What an attacker wants: a CR LF in a subject that
// starts `Bcc:`, a display name that closes its quotes and adds a recipient, a content type that opens a part of its own.
import { fail, ok, type Failure, type Outcome } from '#domain/errors.ts';
import type { ComposeRequest } from '#domain/ports/mail-content.ts';
import { readContentType } from '#adapters/mime/content-type.ts';
import { looksEncoded } from '#adapters/mime/encode-words.ts';
import { isOneLine } from '#adapters/mime/one-line.ts';
import { parseAddress } from '#adapters/mime/parse-address.ts';

type Entry = readonly [field: string, value: string];

const MESSAGE_ID = /^<?[!-;=?-~]{1,500}>?$/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,75}$/;
/** Fields that the request has members for, that name recipients, or that describe the MIME structure. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['from', 'sender', 'to', 'cc', 'bcc', 'reply-to', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['mime-version', 'return-path', 'received', 'dkim-signature'],
]);

const refuse = (field: string, message: string): Failure => fail('invalid_request', { message: `${field}: ${message}`, fields: { field } });

/** Every value that ends in a header, with the name a caller knows it by. */
const headerEntries = (request: ComposeRequest): Entry[] => [
  ['from', request.from.address],
  ['from', request.from.name ?? ''],
  ['to', request.to],
  ['subject', request.subject],
  ['message_id', request.messageId],
  ['in_reply_to', request.inReplyTo ?? ''],
  ...(request.references ?? []).map((id): Entry => ['references', id]),
  ...request.attachments.flatMap((attachment): Entry[] => [
    ['attachments.filename', attachment.filename],
    ['attachments.content_type', attachment.contentType],
  ]),
  ...Object.entries(request.headers ?? {}).map(([name, value]): Entry => [`headers.${HEADER_NAME.test(name) ? name : '?'}`, value]),
];

const messageIdEntries = (request: ComposeRequest): Entry[] => [
  ['message_id', request.messageId],
  ...(request.inReplyTo === undefined ? [] : [['in_reply_to', request.inReplyTo] as const]),
  ...(request.references ?? []).map((id): Entry => ['references', id]),
];

const isOwnHeader = (name: string): boolean => {
  const lower = name.toLowerCase();
  return OWN_HEADERS.has(lower) || lower.startsWith('content-') || lower.startsWith('resent-');
};

const malformedHeaderName = (request: ComposeRequest): Failure | undefined => {
  const name = Object.keys(request.headers ?? {}).find((candidate) => !HEADER_NAME.test(candidate) || isOwnHeader(candidate));
  return name === undefined ? undefined : refuse('headers', 'this header field cannot be set');
};

/** The composer passes these on as they are; in a subject, where people quote such text, it is encoded instead. */
const encodedValue = (request: ComposeRequest): Failure | undefined => {
  if (looksEncoded(request.from.name ?? '')) return refuse('from', 'encoded-words are not allowed');
  const header = Object.entries(request.headers ?? {}).find(([, value]) => looksEncoded(value));
  return header === undefined ? undefined : refuse(`headers.${header[0]}`, 'encoded-words are not allowed');
};

const malformedAttachment = (request: ComposeRequest): Failure | undefined => {
  const wrong = request.attachments.find(
    ({ contentType }) => readContentType(contentType) !== contentType || contentType.startsWith('multipart/'),
  );
  return wrong === undefined ? undefined : refuse('attachments.content_type', 'must be type/subtype, and not multipart');
};

/** The request with its addresses normalised, or `invalid_request` naming the first field that cannot be sent. */
export const checkComposeRequest = (request: ComposeRequest): Outcome<ComposeRequest> => {
  const broken = headerEntries(request).find(([, value]) => !isOneLine(value));
  if (broken !== undefined) return refuse(broken[0], 'line breaks and control characters are not allowed');
  const to = parseAddress(request.to);
  if (to === undefined || to.name !== undefined) return refuse('to', 'must be exactly one address');
  const from = parseAddress(request.from.address);
  if (from === undefined || from.name !== undefined) return refuse('from', 'must be exactly one address');
  const wrongId = messageIdEntries(request).find(([, id]) => !MESSAGE_ID.test(id));
  if (wrongId !== undefined) return refuse(wrongId[0], 'is no message id');
  const malformed = malformedAttachment(request) ?? malformedHeaderName(request) ?? encodedValue(request);
  return malformed ?? ok({ ...request, to: to.address, from: { ...request.from, address: from.address } });
};
