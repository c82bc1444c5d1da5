// Hands a permitted call to the service it is for.
import { mayList } from './authorize.ts';
import type { AwsCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import { queryReply, type Reply, textReply } from './replies.ts';
import type { CallContext } from './call-context.ts';
import { proxyDynamo } from './dynamo-proxy.ts';
import { proxyQueue } from './queue-proxy.ts';
import { proxyS3 } from './s3-proxy.ts';
import { answerSecret } from './secrets.ts';
import { answerSes } from './ses-send.ts';

/** CloudWatch takes metrics and keeps none: nothing in the service reads them back. */
function answerMetrics(call: AwsCall): Reply {
  if (call.operation !== 'PutMetricData')
    throw new AwsError(400, 'InvalidAction', `The local stack does not implement CloudWatch ${call.operation}.`);
  return call.protocol === 'query' ? queryReply(call, '') : textReply(200, call.contentType, '{}');
}

/**
 * Answers a call that has been authorized.
 *
 * @throws AwsError for refusals of the services that are ours, a network error when an emulator is gone
 */
export async function answerCall(call: AwsCall, context: CallContext): Promise<Reply> {
  const { assembly, fn, fauxqsUrl } = context;
  switch (call.service) {
    case 'dynamodb':
      return await proxyDynamo(call, context.dynamodbUrl);
    case 's3':
      return await proxyS3(call, { fauxqsUrl, mayList: (bucket, key) => mayList(fn.policies, assembly, bucket, key) });
    case 'sqs':
    case 'sns':
      return await proxyQueue(call, fauxqsUrl, context.origin);
    case 'secretsmanager':
      return await answerSecret(call, assembly, context.dataDir);
    case 'ses':
      return await answerSes(call, context);
    case 'cloudwatch':
      return answerMetrics(call);
  }
}
