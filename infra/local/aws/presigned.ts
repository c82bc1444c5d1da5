// Checks presigned S3 URLs as S3 does: the time against the moved clock, then the signature over method, path,
// query and signed headers. A URL whose key, length or type was changed by its holder is refused here.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { AwsCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';

/**
 * The secret that every local environment signs with (`AWS_SECRET_ACCESS_KEY`). It protects nothing on one machine,
 * but with one known secret the endpoint can tell a changed URL from the one a function made.
 */
export const LOCAL_SECRET_ACCESS_KEY = 'local';

const EXPIRES_SECONDS_MAX = 604_800;

/** Percent-encodes as SigV4 wants it: everything but unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery(query: URLSearchParams): string {
  const pairs = [...query].filter(([name]) => name !== 'X-Amz-Signature').map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.sort().join('&');
}

function canonicalHeaders(call: AwsCall, names: readonly string[]): string {
  const value = (name: string): string => [call.headers[name] ?? ''].flat().join(',').trim().replace(/\s+/g, ' ');
  return names.map((name) => `${name}:${value(name)}\n`).join('');
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function signatureOf(call: AwsCall, signedHeaders: string, date: string, secret: string): string {
  const request = [
    call.method,
    call.path,
    canonicalQuery(call.query),
    canonicalHeaders(call, signedHeaders.split(';')),
    signedHeaders,
    call.query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const scope = `${date.slice(0, 8)}/${call.region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(request).digest('hex')].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
}

function parameter(call: AwsCall, name: string): string {
  const value = call.query.get(name);
  if (value) return value;
  const message = `Query-string authentication version 4 requires the ${name} parameter.`;
  throw new AwsError(400, 'AuthorizationQueryParametersError', message);
}

function signedAtMs(date: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  if (!second) throw new AwsError(400, 'AuthorizationQueryParametersError', 'X-Amz-Date must be in the ISO8601 Long Format');
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const isoSeconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

function checkTime(call: AwsCall, date: string, nowMs: number): void {
  const expires = Number(parameter(call, 'X-Amz-Expires'));
  if (!Number.isInteger(expires) || expires < 0 || expires > EXPIRES_SECONDS_MAX) {
    throw new AwsError(400, 'AuthorizationQueryParametersError', 'X-Amz-Expires must be less than a week (in seconds) and non-negative');
  }
  const endMs = signedAtMs(date) + expires * 1000;
  if (nowMs <= endMs) return;
  const detail = { 'X-Amz-Expires': expires, Expires: isoSeconds(endMs), ServerTime: isoSeconds(nowMs) };
  throw new AwsError(403, 'AccessDenied', 'Request has expired', detail);
}

function checkSignedHeaders(call: AwsCall, names: readonly string[]): void {
  // Else the holder of an upload URL could add `x-amz-copy-source` and read what only the function may read.
  const unsigned = Object.keys(call.headers).filter((name) => name.startsWith('x-amz-') && !names.includes(name));
  if (unsigned.length === 0) return;
  const detail = { HeadersNotSigned: unsigned.join(', ') };
  throw new AwsError(403, 'AccessDenied', 'There were headers present in the request which were not signed', detail);
}

/**
 * Checks a presigned URL at a moment of the stack's clock.
 *
 * @throws AwsError 403 when it has expired, was changed, or comes with headers it does not allow
 */
export function checkPresigned(call: AwsCall, nowMs: number, secret: string): void {
  if (call.service !== 's3') throw new AwsError(403, 'AccessDenied', 'Only S3 takes presigned requests.');
  const signature = Buffer.from(parameter(call, 'X-Amz-Signature'));
  const date = parameter(call, 'X-Amz-Date');
  const signedHeaders = parameter(call, 'X-Amz-SignedHeaders');
  checkTime(call, date, nowMs);
  checkSignedHeaders(call, signedHeaders.split(';'));
  const expected = Buffer.from(signatureOf(call, signedHeaders, date, secret));
  if (signature.length === expected.length && timingSafeEqual(signature, expected)) return;
  const message = 'The request signature we calculated does not match the signature you provided. Check your key and signing method.';
  throw new AwsError(403, 'SignatureDoesNotMatch', message);
}

const AUTHENTICATION = [
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-signedheaders',
  'x-amz-signature',
  'x-amz-security-token',
  'x-amz-content-sha256',
];

/** The call with what the signer moved from headers into the query (checksums, metadata, tags) back in its headers. */
export function withHoistedHeaders(call: AwsCall): AwsCall {
  const hoisted = [...call.query]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name.startsWith('x-amz-') && !AUTHENTICATION.includes(name));
  return { ...call, headers: { ...Object.fromEntries(hoisted), ...call.headers } };
}
