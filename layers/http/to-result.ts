// A reply in the gateway's format (payload 2.0).
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpReply } from './reply.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export const toResult = (reply: HttpReply): APIGatewayProxyStructuredResultV2 => {
  const { status, body, bytes, headers } = reply;
  if (bytes) return { statusCode: status, headers: { ...headers }, body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true };
  if (body === undefined) return { statusCode: status, headers: { ...headers } };
  return { statusCode: status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(body) };
};
