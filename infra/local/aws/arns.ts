// Builds the ARNs of what a call names, in the account and region of the function that calls.
import type { Assembly, LocalFunction } from '#infra/local/model.ts';

/** `region` and `account` as they stand in the ARNs of the assembly. */
export interface Account {
  readonly region: string;
  readonly account: string;
}

/** Reads region and account from `arn:aws:lambda:<region>:<account>:function:<name>`. */
export function accountOf(fn: LocalFunction): Account {
  const [, , , region = 'us-east-1', account = '000000000000'] = fn.arn.split(':');
  return { region, account };
}

/** The identity IAM names in its refusals: the session of the function's role. */
export const sessionArn = (fn: LocalFunction): string => `arn:aws:sts::${accountOf(fn).account}:assumed-role/${fn.name}-role/${fn.name}`;

/** Takes a table's name or its ARN. */
export function tableArn(assembly: Assembly, account: Account, nameOrArn: string): string {
  if (nameOrArn.startsWith('arn:')) return nameOrArn;
  const table = assembly.tables.find((candidate) => candidate.name === nameOrArn);
  return table?.arn ?? `arn:aws:dynamodb:${account.region}:${account.account}:table/${nameOrArn}`;
}

/** Takes a queue's URL, of which only the last segment counts. */
export function queueArn(assembly: Assembly, account: Account, url: string): string {
  const name = url.split('/').at(-1) ?? '';
  const queue = assembly.queues.find((candidate) => candidate.name === name);
  return queue?.arn ?? `arn:aws:sqs:${account.region}:${account.account}:${name}`;
}

/** The ARN of a bucket, or of an object in it when a key is given. */
export function bucketArn(assembly: Assembly, bucket: string, key?: string): string {
  const arn = assembly.buckets.find((candidate) => candidate.name === bucket)?.arn ?? `arn:aws:s3:::${bucket}`;
  return key === undefined ? arn : `${arn}/${key}`;
}

export const identityArn = (account: Account, identity: string): string =>
  `arn:aws:ses:${account.region}:${account.account}:identity/${identity}`;

export const configurationSetArn = (account: Account, name: string): string =>
  `arn:aws:ses:${account.region}:${account.account}:configuration-set/${name}`;
