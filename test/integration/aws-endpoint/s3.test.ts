// Objects up to 40 MB, conditional puts, and presigned URLs that cannot be changed or used too late.
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allow, BUCKET, BUCKET_ARN, type Harness, startHarness } from './harness.ts';

let harness: Harness;
let s3: S3Client;
beforeAll(async () => {
  harness = await startHarness();
  s3 = new S3Client({
    ...harness.role(
      'uploader',
      allow(['s3:GetObject', 's3:PutObject', 's3:GetObjectTagging'], `${BUCKET_ARN}/*`),
      allow('s3:ListBucket', BUCKET_ARN),
    ),
    // As browsers and agents upload: no checksum of the empty body in the URL.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
});
afterAll(() => harness.close());

const digest = (bytes: Uint8Array | undefined): string =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');
const read = async (key: string, range?: string) =>
  await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: key, ...(range ? { Range: range } : {}) }));
const bytesOf = async (key: string) => (await read(key)).Body?.transformToByteArray();

describe('objects', () => {
  test('40 MB go in and come out, with type and metadata', async () => {
    const body = randomBytes(40 * 1024 * 1024);
    await s3.send(
      new PutObjectCommand({ Bucket: BUCKET, Key: 'large', Body: body, ContentType: 'message/rfc822', Metadata: { origin: 'smtp' } }),
    );
    const found = await read('large');
    expect([found.ContentType, found.Metadata, found.ContentLength]).toStrictEqual(['message/rfc822', { origin: 'smtp' }, body.length]);
    expect(digest(await found.Body?.transformToByteArray())).toBe(digest(body));
    expect((await s3.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'large' }))).ContentLength).toBe(body.length);
  });

  test('a range across the seams of a large object is exact', async () => {
    const body = randomBytes(20 * 1024 * 1024);
    await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'ranged', Body: body }));
    const part = await read('ranged', 'bytes=8388600-8388620');
    expect(part.ContentRange).toBe(`bytes 8388600-8388620/${body.length}`);
    expect(Buffer.from((await part.Body?.transformToByteArray()) ?? [])).toStrictEqual(body.subarray(8388600, 8388621));
  });

  test('streams in the chunked framing of the SDK arrive without it, with a checksum in the trailer', async () => {
    const checking = new S3Client(harness.role('checker', allow('s3:*')));
    const body = randomBytes(12 * 1024 * 1024);
    const chunks = [body.subarray(0, 5_000_000), body.subarray(5_000_000)];
    await checking.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'framed', Body: Readable.from(chunks), ContentLength: body.length }));
    expect(digest(await bytesOf('framed'))).toBe(digest(body));
    expect((await read('framed')).ContentEncoding).toBeUndefined();
  });

  test('keys keep their special characters', async () => {
    const key = `mail/ü b+c&d=e/${'x'.repeat(300)}`;
    await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: 'here' }));
    expect(await (await read(key)).Body?.transformToString()).toBe('here');
  });

  test('a multipart upload works part by part', async () => {
    const target = { Bucket: BUCKET, Key: 'parts' };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(target));
    const { ETag } = await s3.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: 'only' }));
    await s3.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } }));
    expect(Buffer.from((await bytesOf('parts')) ?? []).toString()).toBe('only');
  });

  test('of twelve puts that want the key free, one wins', async () => {
    const put = (body: string) => s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'once', Body: body, IfNoneMatch: '*' }));
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_value, index) => put(String(index))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(put('later')).rejects.toMatchObject({ name: 'PreconditionFailed', $metadata: { httpStatusCode: 412 } });
  });

  test('what the emulator cannot do is said, not misread as a plain object call', async () => {
    await expect(s3.send(new GetObjectTaggingCommand({ Bucket: BUCKET, Key: 'once' }))).rejects.toMatchObject({ name: 'NotImplemented' });
  });
});

describe('presigned URLs', () => {
  const upload = (key: string, size: number, type = 'application/pdf') =>
    getSignedUrl(s3, new PutObjectCommand({ Bucket: BUCKET, Key: key, ContentType: type, ContentLength: size }), {
      expiresIn: 60,
      signableHeaders: new Set(['content-type', 'content-length']),
    });
  const send = (url: string, body: Uint8Array<ArrayBuffer>, type = 'application/pdf', headers: Record<string, string> = {}) =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': type, ...headers } });
  const codeOf = async (reply: Response): Promise<string | undefined> => /<Code>(\w+)<\/Code>/.exec(await reply.text())?.[1];

  test('an upload of the signed length and type is stored', async () => {
    const body = new Uint8Array(randomBytes(10 * 1024 * 1024));
    expect((await send(await upload('up/ok', body.length), body)).status).toBe(200);
    expect(digest(await bytesOf('up/ok'))).toBe(digest(body));
    expect((await read('up/ok')).ContentType).toBe('application/pdf');
  });

  test('another length, type or key, or an added header, is refused', async () => {
    const body = new Uint8Array(5);
    const url = await upload('up/exact', 5);
    expect(await codeOf(await send(url, new Uint8Array(6)))).toBe('SignatureDoesNotMatch');
    expect(await codeOf(await send(url, body, 'text/html'))).toBe('SignatureDoesNotMatch');
    expect(await codeOf(await send(url.replace('up/exact', 'up/other'), body))).toBe('SignatureDoesNotMatch');
    expect(await codeOf(await send(url, body, 'application/pdf', { 'x-amz-copy-source': `${BUCKET}/once` }))).toBe('AccessDenied');
  });

  test('a checksum in the URL that does not fit the body is refused, as S3 does', async () => {
    const careless = new S3Client(harness.role('careless', allow('s3:*')));
    const url = await getSignedUrl(careless, new PutObjectCommand({ Bucket: BUCKET, Key: 'up/checksum' }), { expiresIn: 60 });
    const reply = await fetch(url, { method: 'PUT', body: 'not empty' });
    expect([reply.status, await codeOf(reply)]).toStrictEqual([400, 'BadDigest']);
  });

  test('a download takes its type and disposition from the URL', async () => {
    await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'down', Body: 'mail' }));
    const command = new GetObjectCommand({
      Bucket: BUCKET,
      Key: 'down',
      ResponseContentType: 'message/rfc822',
      ResponseContentDisposition: 'attachment; filename="a b.eml"',
    });
    const reply = await fetch(await getSignedUrl(s3, command, { expiresIn: 60 }));
    expect([reply.headers.get('content-type'), reply.headers.get('content-disposition'), await reply.text()]).toStrictEqual([
      'message/rfc822',
      'attachment; filename="a b.eml"',
      'mail',
    ]);
  });

  test('a URL outlives the environment that signed it, but not a loss of permission', async () => {
    const settings = harness.role('signer', allow('s3:GetObject', `${BUCKET_ARN}/*`));
    const url = await getSignedUrl(new S3Client(settings), new GetObjectCommand({ Bucket: BUCKET, Key: 'down' }), { expiresIn: 60 });
    harness.retire('signer');
    expect((await fetch(url)).status).toBe(200);
    harness.role('signer');
    const refused = await fetch(url);
    expect([refused.status, await codeOf(refused)]).toStrictEqual([403, 'AccessDenied']);
  });

  test('it expires by the moved clock', async () => {
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket: BUCKET, Key: 'down' }), { expiresIn: 60 });
    expect((await fetch(url)).status).toBe(200);
    harness.advance(120);
    const late = await fetch(url);
    expect(late.status).toBe(403);
    expect(await late.text()).toContain('Request has expired');
  });
});
