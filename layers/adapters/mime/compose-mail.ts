// Writes the bytes of an outgoing message. The only file that imports nodemailer's composer.
import MailComposer, { type MailComposerOptions } from 'nodemailer/lib/mail-composer/index.js';
import { renderMarkdown } from '#adapters/markup/render-markdown.ts';
import { sanitizeHtml } from '#adapters/markup/sanitize-html.ts';
import { checkComposeRequest } from '#adapters/mime/check-compose-request.ts';
import { encodeWords, looksEncoded } from '#adapters/mime/encode-words.ts';
import { cleanFilename } from '#adapters/mime/filenames.ts';
import { ok, type Outcome } from '#domain/errors.ts';
import type { ComposeAttachment, ComposeRequest } from '#domain/ports/mail-content.ts';

const bracketed = (id: string): string => (id.startsWith('<') ? id : `<${id}>`);

const plainPart = (request: ComposeRequest): string =>
  request.signature === undefined ? request.text : `${request.text.trimEnd()}\n\n-- \n${request.signature.text}\n`;

/** Blank HTML is none: readers that prefer HTML would show an empty message. */
const bodyHtml = ({ html, text }: ComposeRequest): string =>
  html === undefined || html.trim() === '' ? renderMarkdown(text) : sanitizeHtml(html);

const htmlPart = (request: ComposeRequest): string => {
  // A signature may hold paragraphs, and a paragraph may not.
  const signature = request.signature === undefined ? '' : `<div>-- <br>\n${sanitizeHtml(request.signature.html)}</div>\n`;
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body>\n${bodyHtml(request)}\n${signature}</body></html>\n`;
};

const attachmentPart = (attachment: ComposeAttachment, index: number) => ({
  filename: cleanFilename(attachment.filename, index),
  // A message inside the message may not be base64, and its lines would be read as structure: it travels as a file.
  contentType: attachment.contentType.startsWith('message/') ? 'application/octet-stream' : attachment.contentType,
  content: Buffer.from(attachment.content.buffer, attachment.content.byteOffset, attachment.content.byteLength),
  contentTransferEncoding: 'base64',
  contentDisposition: 'attachment',
});

/** Addresses are given as objects, so that no name is ever parsed as an address. */
const composerOptions = (request: ComposeRequest): MailComposerOptions => ({
  from: { name: request.from.name ?? '', address: request.from.address },
  to: { name: '', address: request.to },
  subject: looksEncoded(request.subject) ? encodeWords(request.subject) : request.subject,
  messageId: bracketed(request.messageId),
  date: new Date(request.date * 1_000),
  ...(request.inReplyTo === undefined ? {} : { inReplyTo: bracketed(request.inReplyTo) }),
  ...(request.references?.length ? { references: request.references.map(bracketed) } : {}),
  headers: { ...request.headers },
  text: plainPart(request),
  html: htmlPart(request),
  attachments: request.attachments.map(attachmentPart),
  newline: 'windows',
  // Content is bytes and text; without these a crafted value could make the composer read a file or a URL.
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Writes an RFC 5322 message with CRLF lines: multipart/alternative, inside multipart/mixed when there are attachments.
 * Fails with `invalid_request` and `fields.field` when a value could forge a header or name a second recipient.
 */
export const composeMail = async (request: ComposeRequest): Promise<Outcome<Uint8Array>> => {
  const checked = checkComposeRequest(request);
  if (!checked.ok) return checked;
  return ok(await new MailComposer(composerOptions(checked.value)).compile().build());
};
