// Large attachments: the caller puts the bytes into the object store by itself, then names the upload in a message.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Upload, UploadAddress, UploadObjects, Uploads } from '../ports/mail.ts';
import type { Ids } from '../values/id.ts';
import { isTimeId } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import { MESSAGE_BYTES_MAX } from './outgoing.ts';

/** An upload that is not used by then is gone: neither the address nor the id works any more. */
export const UPLOAD_LIFE_SECONDS = 3600;

export interface BeginUploadPorts {
  readonly uploadObjects: UploadObjects;
  readonly committer: Committer;
  readonly ids: Ids;
}

export interface BegunUpload {
  readonly upload: Upload;
  readonly address: UploadAddress;
}

export interface BeginUploadRequest {
  readonly wallet: Wallet;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly now: number;
  readonly commitReply: (begun: BegunUpload) => Promise<Change[]>;
}

/** Makes an address that takes one file of this size and type from this account (decisions, "Mail"). */
export const beginUpload = async (ports: BeginUploadPorts, request: BeginUploadRequest): Promise<Outcome<BegunUpload>> => {
  const { wallet, filename, contentType, sizeBytes, now } = request;
  const upload: Upload = { id: ports.ids.next(now), wallet, filename, contentType, sizeBytes, expiresAt: now + UPLOAD_LIFE_SECONDS };
  const begun = { upload, address: await ports.uploadObjects.addressFor(upload, UPLOAD_LIFE_SECONDS) };
  const committed = await ports.committer.commit([{ kind: 'upload.put', upload }, ...(await request.commitReply(begun))]);
  return committed.ok ? ok(begun) : committed;
};

export interface FetchUploadPorts {
  readonly uploads: Uploads;
  readonly uploadObjects: UploadObjects;
}

export interface FetchedUpload {
  readonly upload: Upload;
  readonly bytes: Uint8Array;
}

const findUpload = async (ports: FetchUploadPorts, wallet: Wallet, id: string, now: number): Promise<Upload | undefined> => {
  const upload = isTimeId(id) ? await ports.uploads.find(wallet, id) : undefined;
  return upload && upload.expiresAt > now ? upload : undefined;
};

const notFoundNamed = (id: string) => fail('upload_not_found', { fields: { upload_id: id } });

/**
 * Fetches the files behind upload ids, by id. Sizes are added up before a byte is read, so that one request cannot fill
 * the function's memory.
 */
export const fetchUploads = async (
  ports: FetchUploadPorts,
  wallet: Wallet,
  uploadIds: readonly string[],
  now: number,
): Promise<Outcome<ReadonlyMap<string, FetchedUpload>>> => {
  const ids = [...new Set(uploadIds)];
  const found = await Promise.all(ids.map((id) => findUpload(ports, wallet, id, now)));
  const missing = found.indexOf(undefined);
  if (missing >= 0) return notFoundNamed(ids[missing] ?? '');
  const uploads = found.filter((upload) => upload !== undefined);
  if (uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > MESSAGE_BYTES_MAX) {
    return fail('payload_too_large', { message: 'The whole message is larger than 40 MB', hint: 'Send less in one message.' });
  }
  const fetched = new Map<string, FetchedUpload>();
  for (const upload of uploads) {
    const bytes = await ports.uploadObjects.read(upload);
    if (!bytes) return notFoundNamed(upload.id);
    fetched.set(upload.id, { upload, bytes });
  }
  return ok(fetched);
};
