// The versions that are served, and what is on its way out.
import { ROUTES } from '#contract/routes.ts';
import { API_VERSION, DEPRECATED_AT_SECONDS, SUPPORTED_VERSIONS } from '#contract/versions.ts';

const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10);

const deprecatedOperations = (sunsetDate: string) =>
  ROUTES.flatMap(({ operationId, deprecated }) =>
    deprecated
      ? [
          {
            operation_id: operationId,
            replaced_by: deprecated.replacedBy,
            deprecated_on: dayOf(DEPRECATED_AT_SECONDS),
            sunset_on: sunsetDate,
          },
        ]
      : [],
  );

export const versionsBody = (sunsetDate: string) => ({
  current: API_VERSION,
  supported: SUPPORTED_VERSIONS.map((version) => ({ ...version })),
  deprecated_operations: deprecatedOperations(sunsetDate),
});
