// Turns a row of permissions.ts into IAM statements with exact ARNs: one table and its named indexes, one bucket's
// prefix, single secrets, one mail identity, single queues. Nothing here grants by pattern except object prefixes.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { resourceNames } from '#infra/config.ts';
import type { FunctionPermissions, ObjectAction, ObjectPrefix, QueueName } from '#infra/permissions.ts';
import type { SharedResources } from './shared-resources.ts';
import { indexNames } from './single-table.ts';

const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({ actions: [...actions], resources: [...resources] });

const tableStatements = (permissions: FunctionPermissions, shared: SharedResources): readonly PolicyStatement[] => {
  const arn = shared.table.tableArn;
  const itemActions = permissions.table.filter((action) => action !== 'Query').map((action) => `dynamodb:${action}`);
  const statements = itemActions.length > 0 ? [allow(itemActions, [arn])] : [];
  if (permissions.table.includes('Query')) {
    statements.push(allow(['dynamodb:Query'], [arn, ...indexNames().map((name) => `${arn}/index/${name}`)]));
  }
  if (permissions.partitions) {
    const keys = permissions.partitions.map((letter) => `${letter}#*`);
    for (const statement of statements) statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': keys });
    // Without a key in the request "for all" holds for none: such a call is refused as well.
    for (const statement of statements) statement.addCondition('Null', { 'dynamodb:LeadingKeys': 'false' });
  }
  return statements;
};

const OBJECT_ACTIONS: Readonly<Record<Exclude<ObjectAction, 'list'>, readonly string[]>> = {
  get: ['s3:GetObject'],
  // A multipart upload that fails is given up by the function itself, so that its parts are not paid for.
  put: ['s3:PutObject', 's3:AbortMultipartUpload'],
  delete: ['s3:DeleteObject'],
};

const bucketStatements = (
  grant: { readonly prefix: ObjectPrefix; readonly actions: readonly ObjectAction[] },
  shared: SharedResources,
): readonly PolicyStatement[] => {
  const objectActions = grant.actions.filter((action) => action !== 'list').flatMap((action) => OBJECT_ACTIONS[action]);
  const statements = objectActions.length > 0 ? [allow(objectActions, [shared.bucket.arnForObjects(`${grant.prefix}*`)])] : [];
  if (grant.actions.includes('list')) {
    const listing = allow(['s3:ListBucket'], [shared.bucket.bucketArn]);
    // Reading a missing object answers 404 only to who may list, and such a check knows no prefix: hence IfExists. The
    // price is that a list of no prefix shows the keys of the whole bucket; what lies under them stays closed.
    listing.addCondition('StringLikeIfExists', { 's3:prefix': `${grant.prefix}*` });
    statements.push(listing);
  }
  return statements;
};

/** ARN of the mail domain's SES identity, in whatever account and region the stack lands. */
export const identityArn = (scope: Construct, shared: SharedResources): string =>
  Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: shared.config.mailDomain });

const sesStatements = (scope: Construct, permissions: FunctionPermissions, shared: SharedResources): readonly PolicyStatement[] => {
  if (!permissions.ses) return [];
  const configurationSet = Stack.of(scope).formatArn({
    service: 'ses',
    resource: 'configuration-set',
    resourceName: resourceNames(shared.config).configurationSet,
  });
  return [
    allow(
      permissions.ses.map((action) => `ses:${action}`),
      [identityArn(scope, shared), configurationSet],
    ),
  ];
};

/** The queues of a list that exist in this deployment; one without a consumer is not made. */
export const existingQueues = (names: readonly QueueName[], shared: SharedResources) =>
  names.flatMap((name) => {
    const found = shared.queues.get(name);
    return found ? [{ name, queue: found.queue }] : [];
  });

const queueStatements = (permissions: FunctionPermissions, shared: SharedResources): readonly PolicyStatement[] => {
  const queues = existingQueues(permissions.queues ?? [], shared);
  return queues.length > 0
    ? [
        allow(
          ['sqs:SendMessage'],
          queues.map(({ queue }) => queue.queueArn),
        ),
      ]
    : [];
};

/** Every statement a function's role gets, besides writing its own log. */
export function statementsFor(scope: Construct, permissions: FunctionPermissions, shared: SharedResources): readonly PolicyStatement[] {
  const secrets = (permissions.secrets ?? []).map((name) => shared.secrets[name].secretArn);
  return [
    ...tableStatements(permissions, shared),
    ...(permissions.bucket ?? []).flatMap((grant) => bucketStatements(grant, shared)),
    ...(secrets.length > 0 ? [allow(['secretsmanager:GetSecretValue'], secrets)] : []),
    ...sesStatements(scope, permissions, shared),
    ...queueStatements(permissions, shared),
  ];
}

/** Object prefixes that a function may touch, as cdk-nag words its wildcard findings about them. */
export const grantedPrefixes = (permissions: FunctionPermissions): readonly ObjectPrefix[] =>
  (permissions.bucket ?? []).filter((grant) => grant.actions.some((action) => action !== 'list')).map((grant) => grant.prefix);
