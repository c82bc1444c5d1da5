// Lists what a call must be allowed to do: IAM actions on ARNs, with the facts that conditions may ask for.
// A call that touches several things (a transaction, a copy, a batch of deletes) needs all of them.
import type { Assembly } from '#infra/local/model.ts';
import { type Account, queueArn } from './arns.ts';
import type { AwsCall } from './aws-call.ts';
import { dynamoPermissions } from './dynamo-permissions.ts';
import type { Permission } from './iam.ts';
import { s3Permissions } from './s3-permissions.ts';
import { findSecret } from './secrets.ts';
import { sesPermissions } from './ses-submission.ts';

/** Batches need the permission of the single call; AWS knows no action for them. */
const singular = (operation: string): string => operation.replace(/Batch$/, '');

const permission = (action: string, resource: string, context: Permission['context'] = {}): readonly Permission[] => [
  { actions: [action], resource, context },
];

function sqsPermissions(call: AwsCall, assembly: Assembly, account: Account): readonly Permission[] {
  const named = call.input['QueueUrl'] ?? call.input['QueueName'];
  return permission(`sqs:${singular(call.operation)}`, typeof named === 'string' ? queueArn(assembly, account, named) : '*');
}

function snsPermissions(call: AwsCall): readonly Permission[] {
  const resource = call.input['TopicArn'] ?? call.input['TargetArn'] ?? '*';
  return permission(`sns:${singular(call.operation)}`, String(resource));
}

function secretsPermissions(call: AwsCall, assembly: Assembly, account: Account): readonly Permission[] {
  const id = String(call.input['SecretId'] ?? '*');
  const arn = findSecret(assembly, id)?.arn ?? `arn:aws:secretsmanager:${account.region}:${account.account}:secret:${id}`;
  return permission(`secretsmanager:${call.operation}`, arn);
}

function cloudwatchPermissions(call: AwsCall): readonly Permission[] {
  const namespace = call.input['Namespace'];
  return permission(`cloudwatch:${call.operation}`, '*', typeof namespace === 'string' ? { 'cloudwatch:namespace': [namespace] } : {});
}

/** The permissions that a call needs, never empty. */
export function permissionsOf(call: AwsCall, assembly: Assembly, account: Account): readonly Permission[] {
  switch (call.service) {
    case 'dynamodb':
      return dynamoPermissions(call, assembly, account);
    case 's3':
      return s3Permissions(call, assembly);
    case 'sqs':
      return sqsPermissions(call, assembly, account);
    case 'sns':
      return snsPermissions(call);
    case 'secretsmanager':
      return secretsPermissions(call, assembly, account);
    case 'ses':
      return sesPermissions(call, assembly, account);
    case 'cloudwatch':
      return cloudwatchPermissions(call);
  }
}
