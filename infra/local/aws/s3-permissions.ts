// The IAM side of S3 calls. Several operations share one action: parts of an upload are puts, a HEAD is a get,
// a copy reads one object and writes another.
import type { Assembly } from '#infra/local/model.ts';
import { bucketArn } from './arns.ts';
import type { AwsCall } from './aws-call.ts';
import type { Permission } from './iam.ts';
import { type S3Target, s3Target, splitBucketPath } from './s3-target.ts';

const OBJECT_ACTIONS: Readonly<Record<string, string>> = {
  HeadObject: 'GetObject',
  CopyObject: 'PutObject',
  CreateMultipartUpload: 'PutObject',
  UploadPart: 'PutObject',
  UploadPartCopy: 'PutObject',
  CompleteMultipartUpload: 'PutObject',
  ListParts: 'ListMultipartUploadParts',
};

const BUCKET_ACTIONS: Readonly<Record<string, string>> = {
  ListObjectsV2: 'ListBucket',
  HeadBucket: 'ListBucket',
  GetBucketVersions: 'ListBucketVersions',
  GetBucketLifecycle: 'GetLifecycleConfiguration',
  PutBucketLifecycle: 'PutLifecycleConfiguration',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  PostObject: 'PutObject',
};

const unescapeXml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&');

/** The keys named in the body of DeleteObjects. */
function keysToDelete(body: Buffer): readonly string[] {
  return [...body.toString('utf8').matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => unescapeXml(key));
}

const onObject = (assembly: Assembly, action: string, bucket: string, key: string): Permission => ({
  actions: [`s3:${action}`],
  resource: bucketArn(assembly, bucket, key),
  context: {},
});

/** Permission to list a bucket, which also decides whether S3 admits that a key does not exist. */
export const listPermission = (assembly: Assembly, bucket: string, prefix = ''): Permission => ({
  actions: ['s3:ListBucket'],
  resource: bucketArn(assembly, bucket),
  context: { 's3:prefix': [prefix] },
});

function bucketPermissions(call: AwsCall, assembly: Assembly, target: S3Target): readonly Permission[] {
  const action = BUCKET_ACTIONS[target.operation] ?? target.operation;
  if (action === 'ListBucket') return [listPermission(assembly, target.bucket, call.query.get('prefix') ?? '')];
  return [{ actions: [`s3:${action}`], resource: target.bucket ? bucketArn(assembly, target.bucket) : '*', context: {} }];
}

/** The permissions that an S3 call needs. */
export function s3Permissions(call: AwsCall, assembly: Assembly): readonly Permission[] {
  const target = s3Target(call.method, call.path, call.query, call.headers);
  if (target.operation === 'DeleteObjects') {
    return keysToDelete(call.body).map((key) => onObject(assembly, 'DeleteObject', target.bucket, key));
  }
  if (!target.key) return bucketPermissions(call, assembly, target);
  const needed = [onObject(assembly, OBJECT_ACTIONS[target.operation] ?? target.operation, target.bucket, target.key)];
  const source = call.headers['x-amz-copy-source'];
  if (typeof source === 'string') {
    const from = splitBucketPath(source);
    needed.push(onObject(assembly, 'GetObject', from.bucket, from.key));
  }
  if (call.headers['x-amz-tagging'] !== undefined || call.query.has('x-amz-tagging')) {
    needed.push(onObject(assembly, 'PutObjectTagging', target.bucket, target.key));
  }
  return needed;
}
