// Parses path, query and body by the row's schemas; what passes has the types that the handler was written against.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RouteRow } from '#contract/define-route.ts';
import { parseInput } from '#contract/validate.ts';
import { fail, FailureError } from '#domain/errors.ts';
import { exchangeOf } from '../exchange.ts';
import type { HttpMiddleware } from './open-exchange.ts';

/** Beyond this attachments belong into uploads; Lambda itself ends at 6 MB with a bare 413 of the gateway. */
export const BODY_BYTES_MAX = 5 * 1024 * 1024;

const SURROGATE = /[\ud800-\udfff]/;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

const textOf = (event: APIGatewayProxyEventV2): string => {
  const { body = '', isBase64Encoded } = event;
  const bytes = isBase64Encoded ? Math.floor((body.length * 3) / 4) : Buffer.byteLength(body);
  if (bytes > BODY_BYTES_MAX) throw new FailureError(fail('payload_too_large', { message: 'The body is larger than 5 MB' }));
  return isBase64Encoded ? decodeUtf8(Buffer.from(body, 'base64')) : body;
};

/** JSON is UTF-8 (RFC 8259); a replacement character would be stored as if the caller had written it. */
const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FailureError(fail('invalid_json', { message: 'The body is not UTF-8' }));
  }
};

/** Half a surrogate pair is JSON but no text: no store or mail can hold it. */
const isText = (text: string): boolean => !SURROGATE.test(text) || text.isWellFormed();

const refuseHalfCharacters = (key: string, value: unknown): unknown => {
  if (isText(key) && (typeof value !== 'string' || isText(value))) return value;
  throw new FailureError(fail('invalid_request', { message: `${JSON.stringify(key)}: half of a surrogate pair is no text` }));
};

const parseJson = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FailureError(fail('invalid_json'));
  }
  // Only an escape can bring one in, and hardly any body has such an escape.
  return ESCAPED_SURROGATE.test(text) ? JSON.parse(text, refuseHalfCharacters) : value;
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const bodyOf = (event: APIGatewayProxyEventV2, row: RouteRow): unknown => {
  const text = textOf(event);
  if (text.trim() === '') return {};
  const value = parseJson(text);
  if (isObject(value)) return value;
  if (value === null && row.bodyOptional) return {};
  throw new FailureError(fail('invalid_json', { message: 'The body has to be a JSON object' }));
};

const parsed = (schema: RouteRow['body'], value: unknown): unknown => {
  if (!schema) return {};
  const result = parseInput(schema, value);
  if (!result.ok) throw new FailureError(result);
  return result.value;
};

const decoded = (parameters: Record<string, string | undefined> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name, value ?? '']));

export const validateMiddleware = (): HttpMiddleware => ({
  before: ({ event }) => {
    const exchange = exchangeOf(event);
    const { row } = exchange;
    exchange.input = {
      params: parsed(row.params, decoded(event.pathParameters)),
      query: parsed(row.query, decoded(event.queryStringParameters)),
      body: row.body ? parsed(row.body, bodyOf(event, row)) : {},
    };
  },
});
