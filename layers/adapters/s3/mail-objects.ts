// The mail bucket: the raw message and each attachment of a mailbox copy as objects of their own, under the copy's id.
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { InfrastructureError } from '#domain/errors.ts';
import type { MailObjects } from '#domain/ports/stores.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { signedUrl } from './signed-url.ts';
import { patience } from '#adapters/sdk-patience.ts';

/** 40 MB are on their way for a while; two tries fit into the time of a request. */
const OBJECT_MS = 12_000;

const URL_SECONDS = 60;

const rawKey = (owner: Wallet, id: string): string => `mail/${owner}/${id}/raw`;
const attachmentKey = (owner: Wallet, id: string, index: number): string => `mail/${owner}/${id}/attachments/${index}`;

export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
}

/** Opens the bucket; one client for the life of a function. */
export const openBucket = (name: string): Bucket => ({ name, client: new S3Client({ ...patience(OBJECT_MS), maxAttempts: 2 }) });

/** Reads an object, or its beginning; undefined when there is none. */
export const readObject = async (bucket: Bucket, key: string, maxBytes?: number): Promise<Uint8Array | undefined> => {
  const input: GetObjectCommandInput = { Bucket: bucket.name, Key: key };
  if (maxBytes !== undefined) input.Range = `bytes=0-${maxBytes - 1}`;
  try {
    const { Body } = await bucket.client.send(new GetObjectCommand(input));
    return await Body?.transformToByteArray();
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
};

const put = async (bucket: Bucket, key: string, bytes: Uint8Array, contentType: string): Promise<void> => {
  await bucket.client.send(new PutObjectCommand({ Bucket: bucket.name, Key: key, Body: bytes, ContentType: contentType }));
};

const removeAll = async (bucket: Bucket, owner: Wallet, id: string, attachmentCount: number): Promise<void> => {
  const keys = [rawKey(owner, id), ...Array.from({ length: attachmentCount }, (_, index) => attachmentKey(owner, id, index))];
  const { Errors } = await bucket.client.send(
    new DeleteObjectsCommand({ Bucket: bucket.name, Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) } }),
  );
  if (Errors && Errors.length > 0) throw new InfrastructureError('objects of a deleted mail are still there');
};

export const openMailObjects = (bucket: Bucket): MailObjects => ({
  putRaw: (owner, id, bytes) => put(bucket, rawKey(owner, id), bytes, 'message/rfc822'),
  getRaw: (owner, id, maxBytes) => readObject(bucket, rawKey(owner, id), maxBytes),
  putAttachment: (owner, id, attachment, bytes) => put(bucket, attachmentKey(owner, id, attachment.index), bytes, attachment.contentType),
  getAttachment: (owner, id, index) => readObject(bucket, attachmentKey(owner, id, index)),
  urlOf: ({ owner, id, index, contentType, disposition }) =>
    signedUrl(
      bucket.client,
      new GetObjectCommand({
        Bucket: bucket.name,
        Key: index === undefined ? rawKey(owner, id) : attachmentKey(owner, id, index),
        ResponseContentType: contentType,
        ResponseContentDisposition: disposition,
      }),
      { expiresIn: URL_SECONDS },
    ),
  removeAll: (owner, id, attachmentCount) => removeAll(bucket, owner, id, attachmentCount),
});
