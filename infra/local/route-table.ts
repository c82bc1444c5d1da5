// Finds the route of a request as an HTTP API does: the most specific match wins, then `$default`.
import type { LocalRoute } from './model.ts';

interface Candidate {
  readonly route: LocalRoute;
  readonly method: string;
  readonly segments: readonly string[];
}

export interface RouteMatch {
  readonly route: LocalRoute;
  /** Decoded path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
}

export class RouteTable {
  readonly #candidates: readonly Candidate[];
  readonly #fallback: LocalRoute | undefined;

  constructor(routes: readonly LocalRoute[]) {
    this.#fallback = routes.find((route) => route.routeKey === '$default');
    this.#candidates = routes
      .filter((route) => route.routeKey !== '$default')
      .map((route) => {
        const [method = '', path = ''] = route.routeKey.split(' ');
        return { route, method, segments: path.split('/').slice(1) };
      })
      .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }

  /** `path` as it stands in the request line, without the query. */
  match(method: string, path: string): RouteMatch | undefined {
    const segments = path.split('/').slice(1);
    for (const candidate of this.#candidates) {
      if (candidate.method !== method && candidate.method !== 'ANY') continue;
      const parameters = matchSegments(candidate.segments, segments);
      if (parameters) return { route: candidate.route, parameters };
    }
    return this.#fallback && { route: this.#fallback, parameters: {} };
  }
}

/** Sorts literal segments before parameters, parameters before greedy ones, and a named method before ANY. */
function rank(candidate: Candidate): string {
  const kinds = candidate.segments.map((segment) => (segment.endsWith('+}') ? '2' : segment.startsWith('{') ? '1' : '0'));
  return `${kinds.join('')}9${candidate.method === 'ANY' ? '1' : '0'}`;
}

function matchSegments(pattern: readonly string[], actual: readonly string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const given = actual[index];
    if (given === undefined) return undefined;
    if (expected.endsWith('+}')) {
      parameters[expected.slice(1, -2)] = decode(actual.slice(index).join('/'));
      return parameters;
    }
    if (expected.startsWith('{')) {
      // A parameter takes one segment that is not empty.
      if (given === '') return undefined;
      parameters[expected.slice(1, -1)] = decode(given);
    } else if (expected !== given && expected !== decode(given)) return undefined;
  }
  return pattern.length === actual.length ? parameters : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is the caller's, and stays.
    return text;
  }
}
