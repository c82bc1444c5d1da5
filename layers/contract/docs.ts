// The JSON reference at /api/docs: what an agent reads to learn the whole API in one request.
import type * as z from 'zod';
import { descriptionOf, type RouteRow } from './define-route.ts';
import { ERROR_TABLE } from './errors.ts';
import { DELIVERY_HEADERS, DELIVERY_WAITS_SECONDS, EVENT_TYPES } from './events.ts';
import { EVENT_EXAMPLE, REQUEST_EXAMPLES } from './examples.ts';
import { type Field, fieldsOf, type Json, renderInput, renderOutput } from './json-schema.ts';
import { OTHER_LIMITS, RATE_LIMITS } from './limits.ts';
import { AREA_DESCRIPTIONS } from './openapi.ts';
import { OVERVIEW, SIGN_IN_STEPS } from './overview.ts';
import { ROUTES } from './routes.ts';
import { codesOf, errorsOfRow } from './row-errors.ts';
import type { GetDocsReply } from './schemas/discovery.ts';
import { API_VERSION, SUNSET_DATE_DEFAULT, SUPPORTED_VERSIONS } from './versions.ts';

const ACCESS_TEXT = {
  public: 'none',
  wallet: 'Bearer (any signed-in wallet)',
  account: 'Bearer (wallet with a handle)',
} as const;

function typeText({ type, anyOf }: Json): string {
  if (Array.isArray(type)) return type.join(' or ');
  if (typeof type === 'string') return type;
  return Array.isArray(anyOf) ? 'one of several' : 'any';
}

const fieldText = ({ name, required, schema }: Field): Json => ({
  name,
  type: typeText(schema),
  required,
  ...(schema['enum'] === undefined ? {} : { values: schema['enum'] }),
  ...(schema['default'] === undefined ? {} : { default: schema['default'] }),
  description: schema['description'],
});

function requestOf(row: RouteRow): Json {
  const parts = { path: row.params, query: row.query, body: row.body };
  const given = Object.entries(parts).flatMap(([name, schema]) =>
    schema === undefined ? [] : [[name, fieldsOf(renderInput(schema)).map(fieldText)] as const],
  );
  const example = REQUEST_EXAMPLES[row.operationId];
  return { ...Object.fromEntries(given), ...(example === undefined ? {} : { example }) };
}

function responsesOf(row: RouteRow): Json {
  return Object.fromEntries(
    Object.entries(row.responses).map(([status, { description, body, contentType }]) => [
      status,
      {
        description,
        ...(contentType === undefined ? {} : { content_type: contentType }),
        ...(body === undefined ? {} : { fields: fieldsOf(renderOutput(body)).map(fieldText) }),
      },
    ]),
  );
}

const endpointOf = (row: RouteRow): Json => ({
  operation_id: row.operationId,
  method: row.method,
  path: row.path,
  area: row.area,
  auth: row.payment === undefined ? ACCESS_TEXT[row.access] : `${ACCESS_TEXT[row.access]}, or an MPP Payment credential`,
  summary: row.summary,
  description: descriptionOf(row),
  ...(row.deprecated === undefined ? {} : { deprecated: true, replaced_by: row.deprecated.replacedBy }),
  available: row.planned !== true,
  request: requestOf(row),
  responses: responsesOf(row),
  errors: errorsOfRow(row).map((code) => ({ status: ERROR_TABLE[code].status, code })),
  ...(row.limits === undefined ? {} : { limits: row.limits }),
  ...(row.idempotent === true ? { idempotency_key: 'accepted' } : {}),
  ...(row.payment === undefined ? {} : { price_usdc_units: row.payment.amount }),
});

function authentication(rows: readonly RouteRow[]): Json {
  const paid = rows.filter((row) => row.payment !== undefined).map(({ method, path }) => `${method} ${path}`);
  return {
    steps: SIGN_IN_STEPS,
    credentials: {
      session_token: 'JWT, valid 24 hours',
      api_key: 'prefix bm_live_, valid until revoked',
      ...(paid.length === 0 ? {} : { payment: `${paid.join(' and ')} can be paid per call with an MPP Payment credential` }),
    },
  };
}

const errors = (rows: readonly RouteRow[]): Json => ({
  format: { error: 'string, for people', code: 'string, for programs', hint: 'string, optional', request_id: 'string' },
  codes: codesOf(rows).map((code) => ({ code, ...ERROR_TABLE[code] })),
});

const webhooks = (): Json => ({
  events: EVENT_TYPES,
  headers: DELIVERY_HEADERS,
  body_example: EVENT_EXAMPLE,
  waits_before_attempts_seconds: DELIVERY_WAITS_SECONDS,
  rules:
    'Any 2xx within 10 seconds is success; redirects are not followed; 410 switches the webhook off, and so do five days of nothing but failures.',
});

const versioning = (): Json => ({
  current: API_VERSION,
  supported: SUPPORTED_VERSIONS,
  header: 'X-API-Version',
  rules:
    'New fields and endpoints come without notice; a breaking change comes under a new path prefix; deprecated operations work for at least 90 days.',
  deprecated: ROUTES.flatMap(({ operationId, deprecated }) =>
    deprecated === undefined ? [] : [{ operation_id: operationId, replaced_by: deprecated.replacedBy, sunset_on: SUNSET_DATE_DEFAULT }],
  ),
});

/** Builds the reference for a service at `baseUrl` (no slash at the end) that serves `rows`. */
export function apiDocs(baseUrl: string, rows: readonly RouteRow[] = ROUTES): z.input<typeof GetDocsReply> {
  return {
    name: 'Agent Email Service',
    version: API_VERSION,
    base_url: baseUrl,
    openapi: `${baseUrl}/api/openapi.json`,
    overview: OVERVIEW,
    authentication: authentication(rows),
    areas: AREA_DESCRIPTIONS,
    endpoints: rows.map(endpointOf),
    errors: errors(rows),
    limits: {
      rate_limits: RATE_LIMITS,
      headers: 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
      other: OTHER_LIMITS,
    },
    webhooks: webhooks(),
    versioning: versioning(),
  };
}
