// Replies of the AWS endpoint as bytes on the wire: each protocol of AWS has a shape of its own, and the SDK maps an error
// to its class only when the shape is exact.
import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { AwsCall, Service } from './aws-call.ts';
import type { AwsError } from './aws-error.ts';

/** What the endpoint answers; `units` is the DynamoDB capacity that the call consumed. */
export interface Reply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | Readable;
  readonly units?: { readonly read: number; readonly write: number };
}

/** Escapes text for XML content. */
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Makes a reply with a text or byte body and its length. */
export function textReply(status: number, contentType: string, body: string | Buffer, headers: OutgoingHttpHeaders = {}): Reply {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { status, headers: { 'content-type': contentType, 'content-length': bytes.length, ...headers }, body: bytes };
}

/** Makes the success reply of a JSON protocol. */
export const jsonReply = (value: unknown, contentType = 'application/x-amz-json-1.1'): Reply =>
  textReply(200, contentType, JSON.stringify(value), { 'x-amzn-requestid': randomUUID() });

const QUERY_NAMESPACES: Partial<Record<Service, string>> = {
  ses: 'http://ses.amazonaws.com/doc/2010-12-01/',
  sns: 'http://sns.amazonaws.com/doc/2010-03-31/',
  cloudwatch: 'http://monitoring.amazonaws.com/doc/2010-08-01/',
};

/** Makes the success reply of the query protocol; `result` is the XML inside `<ActionResult>`. */
export function queryReply(call: AwsCall, result: string): Reply {
  const { operation } = call;
  const xmlns = QUERY_NAMESPACES[call.service] ?? '';
  const body =
    `<${operation}Response xmlns="${xmlns}"><${operation}Result>${result}</${operation}Result>` +
    `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${operation}Response>`;
  return textReply(200, 'text/xml', body);
}

const TYPE_PREFIXES: Partial<Record<Service, string>> = {
  dynamodb: 'com.amazonaws.dynamodb.v20120810#',
  sqs: 'com.amazonaws.sqs#',
};

function jsonError(call: AwsCall, error: AwsError): Reply {
  const fault = error.status >= 500 ? 'Receiver' : 'Sender';
  const body = { __type: `${TYPE_PREFIXES[call.service] ?? ''}${error.code}`, message: error.message, ...error.detail };
  return textReply(error.status, call.contentType, JSON.stringify(body), {
    'x-amzn-requestid': randomUUID(),
    'x-amzn-errortype': error.code,
    // SQS speaks JSON to clients that grew up with the query protocol; they read the old code from here.
    ...(call.service === 'sqs' ? { 'x-amzn-query-error': `${error.code.replace(/Exception$/, '')};${fault}` } : {}),
  });
}

function queryError(call: AwsCall, error: AwsError): Reply {
  const fault = error.status >= 500 ? 'Receiver' : 'Sender';
  const body =
    `<ErrorResponse xmlns="${QUERY_NAMESPACES[call.service] ?? ''}"><Error><Type>${fault}</Type><Code>${error.code}</Code>` +
    `<Message>${escapeXml(error.message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
  return textReply(error.status, 'text/xml', body);
}

function s3Error(call: AwsCall, error: AwsError): Reply {
  const requestId = randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase();
  const extra = Object.entries(error.detail).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`);
  const body =
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${error.code}</Code><Message>${escapeXml(error.message)}</Message>` +
    `${extra.join('')}<RequestId>${requestId}</RequestId><HostId>local</HostId></Error>`;
  // A reply to HEAD has no body, so the SDK only ever sees the status.
  return textReply(error.status, 'application/xml', call.method === 'HEAD' ? '' : body, { 'x-amz-request-id': requestId });
}

function restJsonError(error: AwsError): Reply {
  const body = JSON.stringify({ message: error.message, ...error.detail });
  return textReply(error.status, 'application/json', body, { 'x-amzn-requestid': randomUUID(), 'x-amzn-errortype': error.code });
}

/** Renders an error in the shape that the call's protocol wants. */
export function errorReply(call: AwsCall, error: AwsError): Reply {
  switch (call.protocol) {
    case 'json':
      return jsonError(call, error);
    case 'query':
      return queryError(call, error);
    case 's3':
      return s3Error(call, error);
    case 'rest-json':
      return restJsonError(error);
  }
}
