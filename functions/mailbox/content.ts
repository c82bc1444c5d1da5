// Bytes of mail as replies: small ones directly, large ones by a short-lived address, and never in a form that a browser
// would show or run.
import type { ContentDisposition } from '#domain/ports/mail-content.ts';
import type { MailObjects } from '#domain/ports/stores.ts';
import { notFound, ok, type Outcome } from '#domain/errors.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import { type HttpReply, redirect } from '#http/reply.ts';

/** Base64 makes a third more of it, and Lambda answers 6 MB at most. */
const INLINE_BYTES_MAX = 4 * 1024 * 1024;

/** Mail is written by strangers: sandboxed, not sniffed, not embeddable, always saved. */
const CONTENT_HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;

interface Content {
  readonly row: MailRow;
  readonly index?: number;
  readonly sizeBytes: number;
  readonly filename: string;
  readonly contentType: string;
  readonly missing: 'Email' | 'Attachment';
}

/** Serves one object of a mail. */
export const contentReply = async (
  ports: { objects: MailObjects; contentDisposition: ContentDisposition },
  content: Content,
): Promise<Outcome<HttpReply<undefined>>> => {
  const { row, index, contentType, missing } = content;
  const disposition = ports.contentDisposition(content.filename);
  if (content.sizeBytes > INLINE_BYTES_MAX) {
    return ok(
      redirect(
        await ports.objects.urlOf({ owner: row.owner, id: row.id, ...(index !== undefined && { index }), contentType, disposition }),
      ),
    );
  }
  const bytes =
    index === undefined ? await ports.objects.getRaw(row.owner, row.id) : await ports.objects.getAttachment(row.owner, row.id, index);
  if (!bytes) return notFound(missing);
  return ok({ status: 200, bytes, headers: { 'content-type': contentType, 'content-disposition': disposition, ...CONTENT_HEADERS } });
};
