// Turns one row of the contract into its OpenAPI operation.
import type { ErrorCode } from '#domain/errors.ts';
import { descriptionOf, type RouteRow, type RowResponse } from './define-route.ts';
import { ERROR_TABLE } from './errors.ts';
import { REQUEST_EXAMPLES } from './examples.ts';
import { fieldsOf, type Json, renderInput, schemaReference } from './json-schema.ts';
import { headerReferences, IDEMPOTENCY_PARAMETER } from './openapi-components.ts';
import type { SchemaNames } from './openapi-schemas.ts';
import { errorsOfRow } from './row-errors.ts';

/** USDC.e on Tempo, the currency in which calls are priced unless the operator sets another; the 402 challenge decides. */
const PAYMENT_CURRENCY = '0x20C000000000000000000000b9537d11c60E8b50';
const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'] as const;

function parametersOf(row: RouteRow, place: 'path' | 'query'): readonly Json[] {
  const object = place === 'path' ? row.params : row.query;
  if (object === undefined) return [];
  return fieldsOf(renderInput(object)).map(({ name, required, schema: { description, ...schema } }) => ({
    name,
    in: place,
    required: place === 'path' || required,
    description,
    schema,
  }));
}

function requestBody(row: RouteRow, names: SchemaNames): Json {
  const name = row.body && names.requests.get(row.body);
  if (name === undefined) return {};
  const example = REQUEST_EXAMPLES[row.operationId];
  const media = { schema: { $ref: schemaReference(name) }, ...(example === undefined ? {} : { example }) };
  return { requestBody: { required: row.bodyOptional !== true, content: { 'application/json': media } } };
}

/** Headers that a reply of this row may carry besides those of every reply. */
function headersOf(row: RouteRow, status: number): readonly string[] {
  return [
    'X-API-Version',
    'x-request-id',
    ...(row.limits !== undefined && (status < 400 || status === 429) ? RATE_HEADERS : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(row.idempotent === true && status < 500 ? ['Idempotent-Replayed'] : []),
    ...(row.payment !== undefined && status < 400 ? ['Payment-Receipt'] : []),
    ...(row.payment !== undefined && status === 402 ? ['WWW-Authenticate', 'x-payment-challenge'] : []),
    ...(row.deprecated === undefined ? [] : ['Deprecation', 'Sunset']),
    ...(status === 307 ? ['Location'] : []),
  ];
}

function contentOf({ body, contentType }: RowResponse, names: SchemaNames): Json {
  if (contentType !== undefined) return { content: { [contentType]: { schema: { type: 'string', format: 'binary' } } } };
  const name = body && names.replies.get(body);
  return name === undefined ? {} : { content: { 'application/json': { schema: { $ref: schemaReference(name) } } } };
}

function successResponses(row: RouteRow, names: SchemaNames): Json {
  return Object.fromEntries(
    Object.entries(row.responses).map(([status, response]) => [
      status,
      { description: response.description, headers: headerReferences(headersOf(row, Number(status))), ...contentOf(response, names) },
    ]),
  );
}

function errorResponse(row: RouteRow, status: number, codes: readonly ErrorCode[]): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_TABLE[code].error}.`).join(' '),
    headers: headerReferences(headersOf(row, status)),
    content: { 'application/json': { schema: { $ref: schemaReference('Error') }, examples } },
  };
}

function errorResponses(row: RouteRow): Json {
  const byStatus = Object.groupBy(errorsOfRow(row), (code) => ERROR_TABLE[code].status);
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => [status, errorResponse(row, Number(status), codes ?? [])]));
}

function security(row: RouteRow): readonly Json[] {
  if (row.access === 'public') return [];
  return row.payment === undefined ? [{ Bearer: [] }] : [{ Bearer: [] }, { Payment: [] }];
}

function paymentInfo(row: RouteRow): Json {
  if (row.payment === undefined) return {};
  const offer = { intent: 'charge', method: 'tempo', amount: row.payment.amount, currency: PAYMENT_CURRENCY, description: row.summary };
  return { 'x-payment-info': { offers: [offer] } };
}

/** The operation object of a row; `names` say under which component each of its schemas stands. */
export function operationOf(row: RouteRow, names: SchemaNames): Json {
  const parameters = [
    ...parametersOf(row, 'path'),
    ...parametersOf(row, 'query'),
    ...(row.idempotent === true ? [IDEMPOTENCY_PARAMETER] : []),
  ];
  return {
    operationId: row.operationId,
    tags: [row.area],
    summary: row.summary,
    description: row.planned === true ? `${descriptionOf(row)} Not available yet: answers 501.` : descriptionOf(row),
    ...(row.deprecated === undefined ? {} : { deprecated: true }),
    security: security(row),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(row, names),
    responses: { ...errorResponses(row), ...successResponses(row, names) },
    ...paymentInfo(row),
  };
}
