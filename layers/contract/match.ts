// Finds the rows whose path fits a request's path, so that an unknown path (404) is told from a wrong method (405 with Allow).
import type { Method, RouteRow } from './define-route.ts';

const isParameter = (segment: string): boolean => segment.startsWith('{');

function fits(path: string, segments: readonly string[]): boolean {
  const wanted = path.split('/');
  return (
    wanted.length === segments.length &&
    wanted.every((want, index) => (isParameter(want) ? segments[index] !== '' : want === segments[index]))
  );
}

/** True when the first path names more of its segments, read from the left: API Gateway prefers it too. */
function isMoreSpecific(path: string, than: string): boolean {
  const others = than.split('/');
  for (const [index, segment] of path.split('/').entries()) {
    const difference = Number(isParameter(others[index] ?? '')) - Number(isParameter(segment));
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/**
 * Gives the rows that serve a path, by method; the one with the most literal path wins. Empty for an unknown path, which is
 * 404; its keys are the `Allow` header otherwise.
 */
export function matchPath(routes: readonly RouteRow[], path: string): ReadonlyMap<Method, RouteRow> {
  const segments = path.split('/');
  const found = new Map<Method, RouteRow>();
  for (const row of routes) {
    const best = found.get(row.method);
    if (fits(row.path, segments) && (best === undefined || isMoreSpecific(row.path, best.path))) found.set(row.method, row);
  }
  return found;
}
