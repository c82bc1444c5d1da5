// The body of an S3 upload: taken out of the SDK's chunked framing and compared with the checksums that came along.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import type { AwsCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';

interface S3Body {
  readonly bytes: Buffer;
  /** Checksum headers (`x-amz-checksum-crc32`, ...) of header, query or trailer. */
  readonly checksums: Readonly<Record<string, string>>;
}

/** Removes the framing `<hex size>[;extension]\r\n<data>\r\n ... 0\r\n<trailers>\r\n\r\n` of `aws-chunked` bodies. */
function decodeChunks(framed: Buffer): { readonly bytes: Buffer; readonly trailers: Record<string, string> } {
  const chunks: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const lineEnd = framed.indexOf('\r\n', offset);
    const size = Number.parseInt(framed.subarray(offset, lineEnd < 0 ? undefined : lineEnd).toString('latin1'), 16);
    if (lineEnd < 0 || Number.isNaN(size)) throw new AwsError(400, 'IncompleteBody', 'The request body terminated unexpectedly');
    offset = lineEnd + 2;
    if (size === 0) break;
    chunks.push(framed.subarray(offset, offset + size));
    offset += size + 2;
  }
  const lines = framed
    .subarray(offset)
    .toString('latin1')
    .split('\r\n')
    .filter((line) => line.includes(':'));
  const trailers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { bytes: Buffer.concat(chunks), trailers };
}

function crc32Base64(bytes: Buffer): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum.toString('base64');
}

const CHECKSUMS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  'x-amz-checksum-crc32': crc32Base64,
  'x-amz-checksum-sha1': (bytes) => createHash('sha1').update(bytes).digest('base64'),
  'x-amz-checksum-sha256': (bytes) => createHash('sha256').update(bytes).digest('base64'),
};

function checksumsIn(headers: IncomingHttpHeaders | Record<string, string>): Record<string, string> {
  const found = Object.entries(headers).filter(([name]) => name in CHECKSUMS);
  return Object.fromEntries(found.map(([name, value]) => [name, String(value)]));
}

function checkDigests(bytes: Buffer, checksums: Record<string, string>, contentMd5: string | string[] | undefined): void {
  for (const [name, claimed] of Object.entries(checksums)) {
    if (CHECKSUMS[name]?.(bytes) === claimed) continue;
    const algorithm = name.slice('x-amz-checksum-'.length).toUpperCase();
    throw new AwsError(400, 'BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`);
  }
  if (contentMd5 !== undefined && createHash('md5').update(bytes).digest('base64') !== contentMd5) {
    throw new AwsError(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
}

/**
 * Reads the bytes to store.
 *
 * @throws AwsError 400 when the framing is broken or a CRC32, SHA-1, SHA-256 or MD5 does not fit the bytes
 */
export function readS3Body(call: AwsCall): S3Body {
  const isFramed = String(call.headers['content-encoding'] ?? '').includes('aws-chunked');
  const { bytes, trailers } = isFramed ? decodeChunks(call.body) : { bytes: call.body, trailers: {} };
  const checksums = { ...checksumsIn(call.headers), ...checksumsIn(trailers) };
  checkDigests(bytes, checksums, call.headers['content-md5']);
  return { bytes, checksums };
}

/** The content encoding that remains once the SDK's framing is gone. */
export function storedEncoding(headers: IncomingHttpHeaders): string | undefined {
  const codings = String(headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim());
  const kept = codings.filter((coding) => coding !== '' && coding !== 'aws-chunked');
  return kept.length > 0 ? kept.join(', ') : undefined;
}
