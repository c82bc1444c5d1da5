// Paths and methods that no row serves: JSON 404 and 405 with Allow, and the CORS preflight.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { RouteRow } from '#contract/define-route.ts';
import { matchPath } from '#contract/match.ts';
import { fail, type Failure } from '#domain/errors.ts';
import { problemReply } from './problem.ts';
import { baseHeaders, cacheHeaders } from './standard-headers.ts';
import { toResult } from './to-result.ts';

const PREFLIGHT_SECONDS = 86_400;

const withHeaders = (event: APIGatewayProxyEventV2, result: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 => ({
  ...result,
  headers: { ...baseHeaders(event.requestContext.requestId), ...cacheHeaders(undefined, result.statusCode ?? 200), ...result.headers },
});

const refuse = (event: APIGatewayProxyEventV2, failure: Failure, headers: Record<string, string> = {}) => {
  const reply = problemReply(failure, event.requestContext.requestId);
  return withHeaders(event, toResult({ ...reply, headers }));
};

const preflight = (event: APIGatewayProxyEventV2, allow: string) =>
  withHeaders(event, {
    statusCode: 204,
    headers: {
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    },
  });

/** Answers a request that matched no route. */
export const unmatchedReply = (routes: readonly RouteRow[], event: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 => {
  const methods = [...matchPath(routes, event.rawPath).keys()];
  if (methods.length === 0) return refuse(event, fail('not_found'));
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (event.requestContext.http.method === 'OPTIONS') return preflight(event, allow);
  return refuse(event, fail('method_not_allowed'), { allow });
};
