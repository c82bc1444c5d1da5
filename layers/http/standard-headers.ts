// Headers that every reply carries (decisions, "Everywhere").
import type { RouteRow } from '#contract/define-route.ts';
import { API_VERSION, DEPRECATION_HEADER } from '#contract/versions.ts';

const EXPOSED = [
  'Deprecation',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Payment-Receipt',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-API-Version',
  'X-Payment-Challenge',
  'X-Request-Id',
].join(', ');

/** On every reply of every path, known or not. */
export const baseHeaders = (requestId: string): Record<string, string> => ({
  'x-api-version': API_VERSION,
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
});

/** Public replies may be kept by anyone for the row's time; everything else, and every error, by nobody. */
export const cacheHeaders = (row: RouteRow | undefined, status: number): Record<string, string> => ({
  'cache-control': row?.cacheSeconds !== undefined && status < 300 ? `public, max-age=${row.cacheSeconds}` : 'no-store',
});

/** RFC 9745 and RFC 8594 on deprecated operations. `sunsetDate` is an ISO date. */
export const deprecationHeaders = (row: RouteRow | undefined, sunsetDate: string): Record<string, string> =>
  row?.deprecated
    ? {
        deprecation: DEPRECATION_HEADER,
        sunset: new Date(`${sunsetDate}T00:00:00Z`).toUTCString(),
        link: '</api/docs>; rel="deprecation"',
      }
    : {};
