// Attachments of a send request as bytes: inline ones decoded, uploaded ones fetched.
import { createHash } from 'node:crypto';
import { readContentType } from '#adapters/mime/content-type.ts';
import { cleanFilename } from '#adapters/mime/filenames.ts';
import { ok, type Outcome } from '#domain/errors.ts';
import type { OutgoingAttachment } from '#domain/mail/outgoing.ts';
import { type FetchedUpload, type FetchUploadPorts, fetchUploads } from '#domain/mail/uploads.ts';
import type { Wallet } from '#domain/values/wallet.ts';

interface NamedAttachment {
  readonly filename: string;
  readonly content_type?: string | undefined;
  readonly data?: string | undefined;
  readonly upload_id?: string | undefined;
}

const FALLBACK_TYPE = 'application/octet-stream';

const outgoing = (attachment: NamedAttachment, index: number, uploaded: FetchedUpload | undefined): OutgoingAttachment => {
  const content = uploaded?.bytes ?? Buffer.from(attachment.data ?? '', 'base64');
  const contentType = attachment.content_type ?? uploaded?.upload.contentType ?? FALLBACK_TYPE;
  return {
    filename: cleanFilename(attachment.filename, index),
    // What is no type goes on as it is, to be refused by name when the message is composed.
    contentType: readContentType(contentType) ?? contentType,
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
};

/** All attachments in their order; `upload_not_found` when an upload is unknown, incomplete, expired or someone else's. */
export const outgoingAttachments = async (
  ports: FetchUploadPorts,
  wallet: Wallet,
  attachments: readonly NamedAttachment[],
  now: number,
): Promise<Outcome<OutgoingAttachment[]>> => {
  const ids = attachments.flatMap(({ upload_id }) => (upload_id === undefined ? [] : [upload_id]));
  const uploads = await fetchUploads(ports, wallet, ids, now);
  if (!uploads.ok) return uploads;
  return ok(attachments.map((attachment, index) => outgoing(attachment, index, uploads.value.get(attachment.upload_id ?? ''))));
};
