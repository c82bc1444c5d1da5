// Reads an HTTP request as a call to an AWS service: who signed it, which service and which operation it means.
import type { IncomingHttpHeaders } from 'node:http';
import { AwsError } from './aws-error.ts';
import { s3Target } from './s3-target.ts';

export const SERVICES = ['dynamodb', 's3', 'sqs', 'sns', 'secretsmanager', 'ses', 'cloudwatch'] as const;
export type Service = (typeof SERVICES)[number];

/** The wire shapes of AWS: JSON by target header, form-encoded query, S3's XML, JSON by path. */
export type Protocol = 'json' | 'query' | 's3' | 'rest-json';

export interface AwsCall {
  readonly service: Service;
  readonly operation: string;
  readonly protocol: Protocol;
  readonly accessKeyId: string;
  readonly region: string;
  /** Signed in the URL, so that anyone who holds the URL may send it. */
  readonly presigned: boolean;
  readonly method: string;
  /** Still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly contentType: string;
  readonly body: Buffer;
  /** The parameters of JSON and query calls; empty for S3. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What of a request stands before its body. */
interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

const SIGNING_NAMES: Readonly<Record<string, Service>> = {
  dynamodb: 'dynamodb',
  s3: 's3',
  sqs: 'sqs',
  sns: 'sns',
  secretsmanager: 'secretsmanager',
  ses: 'ses',
  monitoring: 'cloudwatch',
};

interface CredentialScope {
  readonly accessKeyId: string;
  readonly region: string;
  readonly signingName: string;
  readonly presigned: boolean;
}

const SCOPE = /^([^/\s]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request$/;

function readScope(headers: IncomingHttpHeaders, query: URLSearchParams): CredentialScope | undefined {
  const inHeader = /Credential=([^,\s]+)/.exec(headers.authorization ?? '')?.[1];
  const text = inHeader ?? query.get('X-Amz-Credential') ?? '';
  const [, accessKeyId, region, signingName] = SCOPE.exec(text) ?? [];
  if (!accessKeyId || !region || !signingName) return undefined;
  return { accessKeyId, region, signingName, presigned: inHeader === undefined };
}

function protocolOf(service: Service, headers: IncomingHttpHeaders, path: string): Protocol {
  if (service === 's3') return 's3';
  if (headers['x-amz-target']) return 'json';
  return path === '/' || service === 'sns' ? 'query' : 'rest-json';
}

function parseJson(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the one answer for everything that is not a JSON object.
  }
  throw new AwsError(400, 'SerializationException', 'The request body is not a JSON object.');
}

function readInput(protocol: Protocol, body: Buffer): Record<string, unknown> {
  if (protocol === 's3') return {};
  if (protocol === 'query') return Object.fromEntries(new URLSearchParams(body.toString('latin1')));
  return parseJson(body);
}

function restOperation(method: string, path: string): string {
  return method === 'POST' && path === '/v2/email/outbound-emails' ? 'SendEmail' : `${method} ${path}`;
}

function operationOf(protocol: Protocol, head: RequestHead, path: string, query: URLSearchParams, input: Record<string, unknown>): string {
  switch (protocol) {
    case 'json':
      return String(head.headers['x-amz-target']).split('.').at(-1) ?? '';
    case 'query':
      return String(input['Action'] ?? '');
    case 's3':
      return s3Target(head.method, path, query, head.headers).operation;
    case 'rest-json':
      return restOperation(head.method, path);
  }
}

/**
 * Reads a request as an AWS call. The signature itself is not looked at here.
 *
 * @throws AwsError 403 when nothing is signed or the service is none of ours, 400 when the body cannot be read
 */
export function readCall(head: RequestHead, body: Buffer): AwsCall {
  const [path = '/', rawQuery = ''] = splitOnce(head.url, '?');
  const query = new URLSearchParams(rawQuery);
  const scope = readScope(head.headers, query);
  if (!scope) throw new AwsError(403, 'MissingAuthenticationToken', 'Request is missing Authentication Token');
  const service = SIGNING_NAMES[scope.signingName];
  if (!service) throw new AwsError(403, 'UnknownService', `The local stack has no service ${scope.signingName}.`);
  const protocol = protocolOf(service, head.headers, path);
  const input = readInput(protocol, body);
  return {
    service,
    operation: operationOf(protocol, head, path, query, input),
    protocol,
    accessKeyId: scope.accessKeyId,
    region: scope.region,
    presigned: scope.presigned,
    method: head.method,
    path,
    query,
    rawQuery,
    headers: head.headers,
    contentType: head.headers['content-type'] ?? 'application/x-amz-json-1.0',
    body,
    input,
  };
}

/** Splits at the first separator; the second part is empty when there is none. */
function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
