// The two payload formats 2.0 of an HTTP API: the event a request becomes, and the response a function's reply becomes.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RouteMatch } from './route-table.ts';
import { ACCOUNT_ID } from './physical-names.ts';
import { asObject, asText } from './shapes.ts';

export interface GatewayResponse {
  readonly status: number;
  /** Lower-cased names; several values only for cookies. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** Builds the event of a request. `nowMs` is the stack's clock. */
export function toHttpEvent(request: IncomingMessage, body: Buffer, match: RouteMatch, nowMs: number): Record<string, unknown> {
  const [rawPath, rawQueryString] = splitTarget(request.url ?? '/');
  const { cookie, ...headers } = joinHeaders(request);
  const peer = request.socket.remoteAddress ?? '127.0.0.1';
  const forwarded = headers['x-forwarded-for'];
  const query = joinQuery(rawQueryString);
  const isText = isTextual(headers['content-type'], headers['content-encoding'], body);
  return {
    version: '2.0',
    routeKey: match.route.routeKey,
    rawPath,
    rawQueryString,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/;\s*/) }),
    headers: {
      ...headers,
      'x-forwarded-for': forwarded ?? peer,
      'x-forwarded-proto': 'http',
      'x-forwarded-port': String(request.socket.localPort ?? ''),
    },
    ...(query === undefined ? {} : { queryStringParameters: query }),
    requestContext: {
      accountId: ACCOUNT_ID,
      apiId: 'local',
      domainName: (headers['host'] ?? 'localhost').split(':')[0],
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        // In the cloud the gateway knows the peer; here tests and proxies say who the client is.
        sourceIp: forwarded?.split(',')[0]?.trim() || peer,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: match.route.routeKey,
      stage: '$default',
      time: commonLogTime(nowMs),
      timeEpoch: Math.floor(nowMs),
    },
    ...(Object.keys(match.parameters).length > 0 ? { pathParameters: match.parameters } : {}),
    ...(body.length > 0 ? { body: body.toString(isText ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Splits a request target into path and query, both as they came. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function joinHeaders(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headersDistinct).filter((entry): entry is [string, string[]] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([name, values]) => [name, values.join(name === 'cookie' ? '; ' : ',')]));
}

function joinQuery(rawQueryString: string): Record<string, string> | undefined {
  if (rawQueryString === '') return undefined;
  const joined: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const former = joined[name];
    joined[name] = former === undefined ? value : `${former},${value}`;
  }
  return joined;
}

/** The gateway hands text on as it is and everything else in base64; forms count as "else". */
function isTextual(contentType: string | undefined, contentEncoding: string | undefined, body: Buffer): boolean {
  if (contentEncoding !== undefined && contentEncoding !== 'identity') return false;
  if (contentType !== undefined && !/^\s*(text\/|application\/(json|javascript|xml|[^;\s]+\+(json|xml))\b)/i.test(contentType))
    return false;
  return Buffer.from(body.toString('utf8'), 'utf8').equals(body);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function commonLogTime(nowMs: number): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
}

// The gateway writes these itself and drops what a function says.
const OWN_HEADERS = new Set(['date', 'server', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'via']);

/**
 * Reads a function's reply (JSON): an object with `statusCode`, or anything else as a 200 of JSON.
 * Undefined for a reply that the gateway refuses, which it answers with 500.
 */
export function fromFunctionReply(payload: string): GatewayResponse | undefined {
  const reply: unknown = JSON.parse(payload);
  const fields = asObject(reply);
  if (!('statusCode' in fields)) {
    const body = typeof reply === 'string' ? reply : payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
  }
  const status = Number(fields['statusCode']);
  const body = fields['body'] ?? '';
  if (!Number.isInteger(status) || status < 100 || status > 599 || typeof body !== 'string') return undefined;
  const cookies = Array.isArray(fields['cookies']) ? fields['cookies'].map(String) : [];
  return {
    status,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...replyHeaders(asObject(fields['headers'])),
      ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
    },
    body: Buffer.from(body, fields['isBase64Encoded'] === true ? 'base64' : 'utf8'),
  };
}

function replyHeaders(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const text = asText(value);
    const lower = name.toLowerCase();
    if (text === undefined || OWN_HEADERS.has(lower)) continue;
    // API Gateway keeps this name for itself and renames what a function sends under it.
    headers[lower === 'www-authenticate' ? 'x-amzn-remapped-www-authenticate' : lower] = text;
  }
  return headers;
}

/** Applies an integration's response parameter mappings, e.g. `overwrite:header.www-authenticate` from `$response.header.x`. */
export function mapResponse(response: GatewayResponse, mappings: Readonly<Record<string, string>>): GatewayResponse {
  const headers = { ...response.headers };
  let status = response.status;
  for (const [destination, source] of Object.entries(mappings)) {
    const [action, target = ''] = destination.split(':');
    const value = mappedValue(source, response);
    if (target === 'statuscode' && value) status = Number(value);
    const name = /^header\.(.+)$/.exec(target)?.[1]?.toLowerCase();
    if (name === undefined) continue;
    const former = headers[name];
    if (action === 'remove') delete headers[name];
    // A source that is not there leaves the header alone.
    else if (value === undefined) continue;
    else headers[name] = action === 'append' && former !== undefined ? [former, value].flat().join(',') : value;
  }
  return { ...response, status, headers };
}

function mappedValue(source: string, response: GatewayResponse): string | undefined {
  const name = /^\$response\.header\.(.+)$/.exec(source)?.[1];
  if (name === undefined) return source.startsWith('$') ? undefined : source;
  const value = response.headers[name.toLowerCase()];
  return value === undefined ? undefined : [value].flat().join(',');
}
