// The contract's rows: complete against the interface, named once, described, and fewer of them planned with each release.
import { describe, expect, it } from 'vitest';
import type { RouteRow } from '#contract/define-route.ts';
import { errorsOfRow, PATH_ERRORS } from '#contract/row-errors.ts';
import { AREA_ROUTES, ROUTES } from '#contract/routes.ts';
import { ERROR_CODES } from '#domain/errors.ts';
import { INTERFACE_ENDPOINTS } from './interface-endpoints.ts';

/** Rows whose use case is still to come. Lower it when one is built; it must never rise. */
const PLANNED_ROWS_MAX = 0;

const endpoint = (row: RouteRow): string => `${row.method} ${row.path}`;
const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort();

describe('the rows', () => {
  it('default: there is one for every endpoint of the interface', () => {
    const served = new Set(ROUTES.map(endpoint));

    expect(INTERFACE_ENDPOINTS.filter((wanted) => !served.has(wanted))).toStrictEqual([]);
  });

  it('default: no operationId and no method with path comes twice', () => {
    expect(new Set(ROUTES.map((row) => row.operationId)).size).toBe(ROUTES.length);
    expect(new Set(ROUTES.map((row) => endpoint(row).replaceAll(/\{\w+\}/g, '{}'))).size).toBe(ROUTES.length);
  });

  it('default: each stands in its area under its operationId', () => {
    for (const [area, rows] of Object.entries(AREA_ROUTES)) {
      for (const [name, row] of Object.entries(rows)) expect([row.area, row.operationId]).toStrictEqual([area, name]);
    }
  });

  it('behavior: planned rows do not grow in number', () => {
    expect(ROUTES.filter((row) => row.planned === true).length).toBeLessThanOrEqual(PLANNED_ROWS_MAX);
  });

  it('behavior: every error code belongs to a row, or to the paths as such', () => {
    const documented = new Set([...ROUTES.flatMap(errorsOfRow), ...PATH_ERRORS]);

    // Rows that are planned answer this one; there may be none.
    documented.add('not_implemented');
    expect(ERROR_CODES.filter((code) => !documented.has(code))).toStrictEqual([]);
  });

  it('behavior: a deprecated row names a replacement that exists, in its description too', () => {
    const names = new Set(ROUTES.map((row) => row.operationId));
    for (const row of ROUTES.filter(({ deprecated }) => deprecated !== undefined)) {
      const replacement = row.deprecated?.replacedBy ?? '';

      expect(names).toContain(replacement);
      expect(row.description).toContain(replacement);
    }
  });
});

describe.each(ROUTES.map((row) => [row.operationId, row] as const))('%s', (_operationId, row) => {
  it('default: is described and has a reply', () => {
    expect(row.operationId).toMatch(/^[a-z][a-zA-Z0-9]+$/);
    expect(row.summary).not.toBe('');
    expect(row.description).toMatch(/^[A-Z].{20,}\.$/s);
    expect(Object.keys(row.responses).length).toBeGreaterThan(0);
  });

  it('default: its path parameters are the ones of its path', () => {
    expect(Object.keys(row.params?.shape ?? {}).sort()).toStrictEqual(pathNames(row.path));
  });

  it('behavior: caches public reads only, and takes keys and prices on POST only', () => {
    if (row.cacheSeconds !== undefined) expect([row.access, row.method]).toStrictEqual(['public', 'GET']);
    if (row.idempotent === true || row.payment !== undefined) expect(row.method).toBe('POST');
  });
});
