// Uploads in the mail bucket: addresses that are signed for one key, size and type, and the bytes that came.
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Upload, UploadObjects } from '#domain/ports/mail.ts';
import { type Bucket, readObject } from './mail-objects.ts';
import { signedUrl } from './signed-url.ts';

const keyOf = ({ wallet, id }: Upload): string => `uploads/${wallet}/${id}`;

let signer: S3Client | undefined;

/** A checksum of the SDK's own would be signed for an empty body, and no caller could ever match it. */
const signingClient = (): S3Client => {
  signer ??= new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
  return signer;
};

const headersOf = ({ contentType, sizeBytes }: Upload) => ({ 'content-type': contentType, 'content-length': String(sizeBytes) });

export const openUploadObjects = (bucket: Bucket): UploadObjects => ({
  addressFor: async (upload, expiresIn) => {
    const { contentType, sizeBytes } = upload;
    const command = new PutObjectCommand({ Bucket: bucket.name, Key: keyOf(upload), ContentType: contentType, ContentLength: sizeBytes });
    // Signed, so that the holder of the address can put neither another type nor one byte more.
    const signableHeaders = new Set(['host', 'content-type', 'content-length']);
    return { url: await signedUrl(signingClient(), command, { expiresIn, signableHeaders }), method: 'PUT', headers: headersOf(upload) };
  },
  read: async (upload) => {
    const bytes = await readObject(bucket, keyOf(upload));
    return bytes?.byteLength === upload.sizeBytes ? bytes : undefined;
  },
});
