// First in the stack: finds the row of the request and opens its exchange; last on the way out: puts the standard headers on.
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { RouteRow } from '#contract/define-route.ts';
import { invariant } from '#domain/errors.ts';
import type { Clock } from '#domain/values/time.ts';
import { type Exchange, findExchange, openExchange } from '../exchange.ts';
import { limitHeaders } from '../limit-headers.ts';
import { baseHeaders, cacheHeaders, deprecationHeaders } from '../standard-headers.ts';

export type HttpMiddleware = MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>;

export interface ExchangeOptions {
  /** Rows by route key, as the gateway names them: `GET /api/inbox/{id}`. */
  readonly rows: ReadonlyMap<string, RouteRow>;
  readonly clock: Clock;
  /** Empty: the host of the request. */
  readonly baseUrl: string;
  readonly sunsetDate: string;
}

/** The receipt of a paid call; only its payer may keep the reply. */
const receiptHeaders = (exchange: Exchange | undefined, status: number): Record<string, string> =>
  exchange?.charged && status < 300 ? { 'payment-receipt': exchange.charged.receipt, 'cache-control': 'private, no-store' } : {};

/** Headers of a handler or a failure go over the standard ones; its Cache-Control, for instance. */
const finish = (event: APIGatewayProxyEventV2, response: APIGatewayProxyStructuredResultV2, options: ExchangeOptions): void => {
  const exchange = findExchange(event);
  const status = response.statusCode ?? 200;
  response.headers = {
    ...baseHeaders(exchange?.requestId ?? event.requestContext.requestId),
    ...cacheHeaders(exchange?.row, status),
    ...deprecationHeaders(exchange?.row, options.sunsetDate),
    ...limitHeaders(exchange?.limits ?? [], status),
    ...receiptHeaders(exchange, status),
    ...response.headers,
  };
};

export const openExchangeMiddleware = (options: ExchangeOptions): HttpMiddleware => ({
  before: ({ event }) => {
    const row = options.rows.get(event.routeKey);
    invariant(row, `no row for ${event.routeKey}`);
    openExchange(event, {
      requestId: event.requestContext.requestId,
      row,
      now: options.clock.nowSeconds(),
      baseUrl: options.baseUrl === '' ? `https://${event.requestContext.domainName}` : options.baseUrl,
      // Of the gateway's own context: a client can write anything into X-Forwarded-For.
      sourceIp: event.requestContext.http.sourceIp,
      limits: [],
    });
  },
  after: ({ event, response }) => {
    if (response) finish(event, response, options);
  },
  onError: ({ event, response }) => {
    if (response) finish(event, response, options);
  },
});
