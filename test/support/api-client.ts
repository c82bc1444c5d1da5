// A client of the running service that holds every reply against the contract: a reply that its row does not describe
// fails the test that got it, whatever that test is about.
import { expect } from 'vitest';
import { ErrorBody } from '#contract/errors.ts';
import { matchPath } from '#contract/match.ts';
import { ROUTES } from '#contract/routes.ts';
import type { Method, RouteRow } from '#contract/define-route.ts';

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when the reply is JSON. */
  readonly body: Record<string, unknown>;
  readonly bytes: Uint8Array;
}

export interface ApiRequest {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as they are instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

const isJson = (headers: Headers): boolean => (headers.get('content-type') ?? '').startsWith('application/json');

const rowOf = (method: string, path: string): RouteRow | undefined => matchPath(ROUTES, path.split('?')[0] ?? path).get(method as Method);

const holdAgainstContract = (method: string, path: string, reply: ApiReply): void => {
  expect(reply.headers.get('x-api-version'), `${method} ${path} x-api-version`).toBe('2.0.0');
  expect(reply.headers.get('x-request-id'), `${method} ${path} x-request-id`).toBeTruthy();
  if (reply.status >= 400) {
    ErrorBody.parse(reply.body);
    expect(typeof reply.body['code'], `${method} ${path} answered ${reply.status} without a code`).toBe('string');
    return;
  }
  const row = rowOf(method, path);
  if (!row) return;
  const described = row.responses[reply.status];
  expect(described, `${method} ${path} answered ${reply.status}, which its row does not describe`).toBeDefined();
  described?.body?.parse(reply.body);
};

/** Calls one service. */
export class ApiClient {
  readonly baseUrl: string;
  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  async call(method: string, path: string, request: ApiRequest = {}): Promise<ApiReply> {
    const { token, body, raw } = request;
    const headers = new Headers(request.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined || raw !== undefined) headers.set('content-type', 'application/json');
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.baseUrl + path, {
      method,
      headers,
      redirect: 'manual',
      ...(payload !== undefined && { body: payload }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const parsed = isJson(response.headers) ? (JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>) : {};
    const reply = { status: response.status, headers: response.headers, body: parsed, bytes };
    holdAgainstContract(method, path, reply);
    return reply;
  }

  get(path: string, token?: string): Promise<ApiReply> {
    return this.call('GET', path, token === undefined ? {} : { token });
  }

  post(path: string, body: unknown, token?: string, headers: Readonly<Record<string, string>> = {}): Promise<ApiReply> {
    return this.call('POST', path, { body, headers, ...(token !== undefined && { token }) });
  }

  put(path: string, body: unknown, token: string): Promise<ApiReply> {
    return this.call('PUT', path, { body, token });
  }

  delete(path: string, token: string): Promise<ApiReply> {
    return this.call('DELETE', path, { token });
  }
}
