// The parts of the OpenAPI document that operations refer to: headers, parameters, credentials, and an example of each error.
import { ERROR_CODES } from '#domain/errors.ts';
import { ERROR_TABLE } from './errors.ts';
import type { Json } from './json-schema.ts';

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const whole = (description: string): Json => ({ description, schema: { type: 'integer' } });

/** Headers of replies, by their names on the wire. */
export const HEADERS: Readonly<Record<string, Json>> = {
  'X-API-Version': text('Version of the API.'),
  'x-request-id': text('Id of the request; quote it when you report something.'),
  'RateLimit-Limit': whole('Calls allowed in the window of the policy with the least left.'),
  'RateLimit-Remaining': whole('Calls left in the window.'),
  'RateLimit-Reset': whole('Seconds until the window rolls over.'),
  'RateLimit-Policy': text('Every policy that applies, such as "send-ip";q=30;w=3600.'),
  RateLimit: text('What is left of each policy, such as "send-ip";r=29;t=1200.'),
  'Retry-After': whole('Seconds to wait before the next try.'),
  'Idempotent-Replayed': text('`true` when the reply is the stored one of an earlier request with the same key.'),
  'WWW-Authenticate': text('With 402: the Payment challenge, when payment by call is switched on.'),
  'x-payment-challenge': text('The same challenge, for clients behind gateways that rename WWW-Authenticate.'),
  'Payment-Receipt': text('Receipt of a paid call.'),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).'),
  Sunset: text('From when the operation may be gone (RFC 8594).'),
  Location: text('Where the content is, for 60 seconds.'),
  Allow: text('Methods of the path.'),
};

/** `{Name: {$ref}}` for the headers named. */
export const headerReferences = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const IDEMPOTENCY_PARAMETER = { $ref: '#/components/parameters/IdempotencyKey' } as const;

export const PARAMETERS: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the call safe to repeat for 24 hours: the same key with the same body gives the stored reply, with another body 422, while the ' +
      'first is still running 409. Bare or quoted, 1 to 255 characters. 402, 429 and 5xx are not stored.',
    schema: { type: 'string', minLength: 1, maxLength: 257 },
  },
};

export const SECURITY_SCHEMES: Json = {
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token (JWT, 24 hours) or an API key (prefix `bm_live_`, until revoked).',
  },
  Payment: {
    type: 'http',
    scheme: 'Payment',
    description:
      'A credential that pays the challenge of a 402 reply (method `tempo`, intent `charge`), when payment by call is switched on.',
  },
};

/** One example per error code, named by the code. */
export const errorExamples = (): Json =>
  Object.fromEntries(
    ERROR_CODES.map((code) => {
      const { status, error, hint } = ERROR_TABLE[code];
      const value = { error, code, ...(hint === undefined ? {} : { hint }), request_id: 'req_01JXK3V8Q2M4' };
      return [code, { summary: `${status} ${code}`, value }];
    }),
  );
