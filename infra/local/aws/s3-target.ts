// Tells which S3 operation a method, path and query mean, on which bucket and key (path style only).
import type { IncomingHttpHeaders } from 'node:http';

export interface S3Target {
  readonly operation: string;
  readonly bucket: string;
  /** Decoded; empty for calls on the bucket itself. */
  readonly key: string;
}

/** Sub-resources that change what a request means. One that is not handled must never fall through to the object itself. */
const SUBRESOURCES = [
  'tagging',
  'acl',
  'attributes',
  'lifecycle',
  'location',
  'versioning',
  'policy',
  'cors',
  'retention',
  'legal-hold',
  'versions',
];

const OBJECT_OPERATIONS: Readonly<Record<string, string>> = {
  GET: 'GetObject',
  HEAD: 'HeadObject',
  PUT: 'PutObject',
  DELETE: 'DeleteObject',
};

const BUCKET_OPERATIONS: Readonly<Record<string, string>> = {
  GET: 'ListObjectsV2',
  HEAD: 'HeadBucket',
  PUT: 'CreateBucket',
  DELETE: 'DeleteBucket',
  POST: 'PostObject',
};

const capitalised = (name: string): string => name.replace(/(^|-)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase());

const VERBS: Readonly<Record<string, string>> = { GET: 'Get', HEAD: 'Get', PUT: 'Put', DELETE: 'Delete', POST: 'Post' };

function multipartOperation(method: string, query: URLSearchParams, copies: boolean): string | undefined {
  if (query.has('uploads')) return method === 'POST' ? 'CreateMultipartUpload' : 'ListMultipartUploads';
  if (!query.has('uploadId')) return undefined;
  if (method === 'PUT') return copies ? 'UploadPartCopy' : 'UploadPart';
  if (method === 'POST') return 'CompleteMultipartUpload';
  return method === 'DELETE' ? 'AbortMultipartUpload' : 'ListParts';
}

function operationOf(method: string, key: string, query: URLSearchParams, copies: boolean): string {
  const subresource = SUBRESOURCES.find((name) => query.has(name));
  if (subresource) return `${VERBS[method] ?? method}${key ? 'Object' : 'Bucket'}${capitalised(subresource)}`;
  const multipart = multipartOperation(method, query, copies);
  if (multipart) return multipart;
  if (method === 'POST' && query.has('delete')) return 'DeleteObjects';
  if (!key) return BUCKET_OPERATIONS[method] ?? method;
  if (method === 'PUT' && copies) return 'CopyObject';
  return OBJECT_OPERATIONS[method] ?? method;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Splits `bucket/key` of a path or of a copy source (both may begin with a slash), decoding each. */
export function splitBucketPath(path: string): { readonly bucket: string; readonly key: string } {
  const plain = path.replace(/^\//, '');
  const slash = plain.indexOf('/');
  if (slash < 0) return { bucket: decoded(plain), key: '' };
  return { bucket: decoded(plain.slice(0, slash)), key: decoded(plain.slice(slash + 1)) };
}

/** Reads what an S3 request is about. */
export function s3Target(method: string, path: string, query: URLSearchParams, headers: IncomingHttpHeaders): S3Target {
  const { bucket, key } = splitBucketPath(path);
  return { operation: operationOf(method, key, query, headers['x-amz-copy-source'] !== undefined), bucket, key };
}
