// SQS and SNS: passes calls on to fauxqs. Its queue URLs name its own port; here they are made to lead through this
// endpoint, where permissions are checked and faults happen.
import type { AwsCall } from './aws-call.ts';
import type { Reply } from './replies.ts';
import { callUpstream, endToEndHeaders, readAll } from './upstream.ts';

/** The same queue under another origin; fauxqs itself looks at the last segment alone. */
function queueUrlAt(origin: string, url: string): string {
  return `${origin}${new URL(url).pathname}`;
}

function withOwnUrls(body: Buffer, origin: string): Buffer {
  const reply = JSON.parse(body.toString('utf8')) as { QueueUrl?: string; QueueUrls?: readonly string[] };
  if (reply.QueueUrl !== undefined) reply.QueueUrl = queueUrlAt(origin, reply.QueueUrl);
  if (reply.QueueUrls !== undefined) reply.QueueUrls = reply.QueueUrls.map((url) => queueUrlAt(origin, url));
  return Buffer.from(JSON.stringify(reply));
}

const NAMES_QUEUES = new Set(['GetQueueUrl', 'CreateQueue', 'ListQueues', 'ListDeadLetterSourceQueues']);

/** Passes an SQS or SNS call on to fauxqs at `baseUrl`; `origin` is where clients reach this endpoint. */
export async function proxyQueue(call: AwsCall, baseUrl: string, origin: string): Promise<Reply> {
  const upstream = await callUpstream(baseUrl, {
    method: 'POST',
    // Clients post to the path of the queue; fauxqs listens on its root alone.
    path: '/',
    headers: endToEndHeaders(call.headers, ['accept-encoding']),
    body: call.body,
  });
  const bytes = await readAll(upstream.body);
  const body = upstream.status === 200 && NAMES_QUEUES.has(call.operation) ? withOwnUrls(bytes, origin) : bytes;
  return { status: upstream.status, headers: { ...endToEndHeaders(upstream.headers), 'content-length': body.length }, body };
}

/** Publishes to a topic without a caller, as AWS services do on their own account. */
export async function publishToTopic(baseUrl: string, topicArn: string, message: string, subject: string): Promise<void> {
  const body = Buffer.from(
    new URLSearchParams({ Action: 'Publish', Version: '2010-03-31', TopicArn: topicArn, Subject: subject, Message: message }).toString(),
  );
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await callUpstream(baseUrl, { method: 'POST', path: '/', headers, body });
  const answer = await readAll(reply.body);
  if (reply.status !== 200) throw new Error(`publishing to ${topicArn} answered ${reply.status}: ${answer.toString('utf8')}`);
}
