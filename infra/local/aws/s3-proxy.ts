// S3: passes calls on to fauxqs and adds what that does not do: single uploads above 11 MiB, conditional puts,
// overrides of response headers, and S3's habit of not admitting that a key is missing to those who may not list.
import type { OutgoingHttpHeaders } from 'node:http';
import type { AwsCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import { type Reply, textReply } from './replies.ts';
import { KeyedLock } from './keyed-lock.ts';
import { readS3Body, storedEncoding } from './s3-body.ts';
import { s3Target } from './s3-target.ts';
import { uploadInParts } from './s3-upload.ts';
import { callUpstream, endToEndHeaders, readAll } from './upstream.ts';

/** fauxqs takes bodies up to 11 MiB; beyond this many bytes an upload is sent to it in parts. */
const SINGLE_UPLOAD_BYTES_MAX = 8 * 1024 * 1024;

const PASSED_ON = new Set(
  [
    'GetObject HeadObject PutObject DeleteObject CopyObject DeleteObjects GetObjectAttributes',
    'CreateMultipartUpload UploadPart UploadPartCopy CompleteMultipartUpload AbortMultipartUpload',
    'ListObjectsV2 HeadBucket CreateBucket DeleteBucket GetBucketLifecycle PutBucketLifecycle DeleteBucketLifecycle',
  ].flatMap((line) => line.split(' ')),
);

interface S3Context {
  readonly fauxqsUrl: string;
  /** Whether the caller may list the bucket: only then S3 answers 404 for a missing key, else 403. */
  readonly mayList: (bucket: string, key: string) => boolean;
}

const writesOfKeys = new KeyedLock();

/** The query without what the signature and the header overrides put into it. */
function upstreamPath(call: AwsCall): string {
  const kept = call.rawQuery.split('&').filter((pair) => pair !== '' && !/^(x-amz-|response-|x-id=)/i.test(pair));
  return kept.length > 0 ? `${call.path}?${kept.join('&')}` : call.path;
}

const OVERRIDABLE = ['content-type', 'content-language', 'expires', 'cache-control', 'content-disposition', 'content-encoding'];

function overrides(query: URLSearchParams): OutgoingHttpHeaders {
  const asked = OVERRIDABLE.map((name) => [name, query.get(`response-${name}`)] as const).filter(([, value]) => value !== null);
  return Object.fromEntries(asked) as OutgoingHttpHeaders;
}

async function pass(call: AwsCall, fauxqsUrl: string): Promise<Reply> {
  const headers = endToEndHeaders(call.headers, ['authorization', 'accept-encoding']);
  const hasBody = call.body.length > 0 || call.method === 'PUT' || call.method === 'POST';
  const upstream = await callUpstream(fauxqsUrl, {
    method: call.method,
    path: upstreamPath(call),
    headers,
    ...(hasBody ? { body: call.body } : {}),
  });
  const length = upstream.headers['content-length'];
  const kept = endToEndHeaders(upstream.headers);
  return {
    status: upstream.status,
    headers: { ...kept, ...(length === undefined ? {} : { 'content-length': length }) },
    body: upstream.body,
  };
}

async function read(call: AwsCall, context: S3Context): Promise<Reply> {
  const reply = await pass(call, context.fauxqsUrl);
  if (reply.status === 404) {
    const { bucket, key } = s3Target(call.method, call.path, call.query, call.headers);
    if (!context.mayList(bucket, key)) {
      if (!Buffer.isBuffer(reply.body)) reply.body.resume();
      throw new AwsError(403, 'AccessDenied', 'Access Denied');
    }
  }
  return reply.status < 300 ? { ...reply, headers: { ...reply.headers, ...overrides(call.query) } } : reply;
}

/** Answers the ETag of what is stored under the key of a call, or nothing. */
async function storedEtag(call: AwsCall, fauxqsUrl: string): Promise<string | undefined> {
  const { status, headers, body } = await callUpstream(fauxqsUrl, { method: 'HEAD', path: call.path, headers: {} });
  await readAll(body);
  return status === 200 ? headers.etag : undefined;
}

async function checkPreconditions(call: AwsCall, fauxqsUrl: string): Promise<void> {
  const ifNoneMatch = call.headers['if-none-match'];
  const ifMatch = call.headers['if-match'];
  if (ifNoneMatch === undefined && ifMatch === undefined) return;
  const etag = await storedEtag(call, fauxqsUrl);
  if (ifMatch !== undefined && etag === undefined) throw new AwsError(404, 'NoSuchKey', 'The specified key does not exist.');
  const fails =
    (ifNoneMatch !== undefined && etag !== undefined) ||
    (ifMatch !== undefined && etag?.replaceAll('"', '') !== ifMatch.replaceAll('"', ''));
  if (!fails) return;
  const detail = { Condition: ifNoneMatch === undefined ? 'If-Match' : 'If-None-Match' };
  throw new AwsError(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', detail);
}

/** Puts bytes, in one piece or in parts, with the headers that describe the object. */
async function store(call: AwsCall, fauxqsUrl: string): Promise<Reply> {
  const { bytes, checksums } = readS3Body(call);
  const plain = endToEndHeaders(call.headers, [
    'authorization',
    'content-encoding',
    'x-amz-trailer',
    'x-amz-decoded-content-length',
    'content-md5',
  ]);
  const encoding = storedEncoding(call.headers);
  const headers = { ...plain, ...checksums, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) };
  const isPart = call.query.has('uploadId');
  if (isPart || bytes.length <= SINGLE_UPLOAD_BYTES_MAX)
    return pass({ ...call, headers: headers as AwsCall['headers'], body: bytes }, fauxqsUrl);
  const etag = await uploadInParts({ fauxqsUrl, path: call.path, headers, bytes, partBytes: SINGLE_UPLOAD_BYTES_MAX });
  return textReply(200, 'application/xml', '', { etag, ...checksums });
}

async function write(call: AwsCall, fauxqsUrl: string): Promise<Reply> {
  // One writer per key at a time, else two conditional puts could both find the key free.
  return await writesOfKeys.run(call.path, async () => {
    await checkPreconditions(call, fauxqsUrl);
    return call.headers['x-amz-copy-source'] === undefined && call.method === 'PUT'
      ? await store(call, fauxqsUrl)
      : await pass(call, fauxqsUrl);
  });
}

/**
 * Passes an S3 call on to fauxqs.
 *
 * @throws AwsError as S3 words it: 412 for preconditions, 400 for bad digests, 501 for what fauxqs does not know
 */
export async function proxyS3(call: AwsCall, context: S3Context): Promise<Reply> {
  if (!PASSED_ON.has(call.operation)) throw new AwsError(501, 'NotImplemented', `The local stack does not implement ${call.operation}.`);
  switch (call.operation) {
    case 'GetObject':
    case 'HeadObject':
      return await read(call, context);
    case 'PutObject':
    case 'UploadPart':
    case 'CopyObject':
    case 'CompleteMultipartUpload':
      return await write(call, context.fauxqsUrl);
    default:
      return await pass(call, context.fauxqsUrl);
  }
}
