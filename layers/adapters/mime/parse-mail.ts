// Reads a received message into the domain's terms. Whatever arrives, it answers: a message whose parts cannot be read
// is told by its header alone, and stays available as raw bytes.
import { htmlToText } from '#adapters/markup/html-text.ts';
import { HEADER_ONLY_BYTES, PARSE_LIMITS } from '#adapters/mime/parse-limits.ts';
import { headerEnd, readHeaderFields } from '#adapters/mime/raw-headers.ts';
import { readBody, type BodyReading } from '#adapters/mime/read-body.ts';
import { readHeader } from '#adapters/mime/read-header.ts';
import { snippetOf } from '#adapters/mime/snippet.ts';
import { toOneLine } from '#adapters/mime/one-line.ts';
import { cutText } from '#domain/values/text.ts';
import type { ParsedMail, ParseLimits } from '#domain/ports/mail-content.ts';

const ERROR_LENGTH_MAX = 200;

const readWhole = async (bytes: Uint8Array, limits: ParseLimits): Promise<ParsedMail> => {
  const end = headerEnd(bytes.subarray(0, limits.headerBytes));
  if (end < 0 && bytes.byteLength > limits.headerBytes) throw new Error('header is too large');
  const body: BodyReading = await readBody(bytes, limits);
  const text = body.text.trim() === '' ? htmlToText(body.html ?? '') : body.text;
  return { ...readHeader(readHeaderFields(bytes, limits.headerBytes)), ...body, text, snippet: snippetOf(text) };
};

const readHeaderOnly = (bytes: Uint8Array, reason: unknown): ParsedMail => {
  const message = reason instanceof Error ? reason.message : 'unreadable message';
  const parseError = cutText(toOneLine(message), ERROR_LENGTH_MAX) || 'unreadable message';
  return { ...readHeader(readHeaderFields(bytes, HEADER_ONLY_BYTES)), text: '', snippet: '', attachments: [], parseError };
};

/**
 * Parses any bytes; never throws and never rejects. On a failure of the parser or a passed cap the result holds what the
 * first 256 KB of header say, with `parseError` set.
 */
export const parseMail = async (bytes: Uint8Array, limits: Partial<ParseLimits> = {}): Promise<ParsedMail> => {
  try {
    return await readWhole(bytes, { ...PARSE_LIMITS, ...limits });
  } catch (reason) {
    return readHeaderOnly(bytes, reason);
  }
};
