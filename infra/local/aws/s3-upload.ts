// Hands a large object to fauxqs as a multipart upload: its limit is on one body, not on one object.
import type { OutgoingHttpHeaders } from 'node:http';
import { callUpstream, readAll } from './upstream.ts';

interface LargeUpload {
  readonly fauxqsUrl: string;
  /** Bucket and key, percent-encoded, no query. */
  readonly path: string;
  /** Content type, metadata and the like. */
  readonly headers: OutgoingHttpHeaders;
  readonly bytes: Buffer;
  /** At least 5 MiB, as S3 wants of every part but the last. */
  readonly partBytes: number;
}

interface Answer {
  readonly etag: string | undefined;
  readonly text: string;
}

async function ask(upload: LargeUpload, method: string, query: string, headers: OutgoingHttpHeaders, body: Buffer): Promise<Answer> {
  const reply = await callUpstream(upload.fauxqsUrl, { method, path: `${upload.path}?${query}`, headers, body });
  const text = (await readAll(reply.body)).toString('utf8');
  if (reply.status >= 300) throw new Error(`upload of ${upload.path}: ${method} ${query} answered ${reply.status}: ${text}`);
  return { etag: reply.headers.etag, text };
}

const elementOf = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

/** Checksums are of the whole object and would be compared with single parts. */
function describing(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^x-amz-(checksum|sdk-checksum|content-sha256)/.test(name)));
}

async function sendParts(upload: LargeUpload, id: string): Promise<string> {
  const parts: string[] = [];
  for (let offset = 0; offset < upload.bytes.length; offset += upload.partBytes) {
    const number = parts.length + 1;
    const part = upload.bytes.subarray(offset, offset + upload.partBytes);
    const headers = { 'content-type': 'application/octet-stream' };
    const { etag } = await ask(upload, 'PUT', `partNumber=${number}&uploadId=${id}`, headers, part);
    parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag ?? ''}</ETag></Part>`);
  }
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
}

/** Stores the object, all or nothing, and gives its ETag (quoted, in the form of a multipart upload). */
export async function uploadInParts(upload: LargeUpload): Promise<string> {
  const { text } = await ask(upload, 'POST', 'uploads=', describing(upload.headers), Buffer.alloc(0));
  const id = encodeURIComponent(elementOf(text, 'UploadId'));
  try {
    const parts = Buffer.from(await sendParts(upload, id));
    const completed = await ask(upload, 'POST', `uploadId=${id}`, { 'content-type': 'application/xml' }, parts);
    return elementOf(completed.text, 'ETag').replaceAll('&quot;', '"');
  } catch (error) {
    await ask(upload, 'DELETE', `uploadId=${id}`, {}, Buffer.alloc(0)).catch(() => undefined);
    throw error;
  }
}
