// Attachments of a send request as bytes.
import { createHash } from 'node:crypto';
import { cleanFilename } from '#adapters/mime/filenames.ts';
import type { OutgoingAttachment } from '#domain/mail/outgoing.ts';

interface InlineAttachment {
  readonly filename: string;
  readonly content_type?: string | undefined;
  readonly data?: string | undefined;
}

export const inlineAttachment = (attachment: InlineAttachment, index: number): OutgoingAttachment => {
  const content = Buffer.from(attachment.data ?? '', 'base64');
  return {
    filename: cleanFilename(attachment.filename, index),
    contentType: attachment.content_type ?? 'application/octet-stream',
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
};
