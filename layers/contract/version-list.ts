// The reply of GET /api/versions. Apart from versions.ts, because it reads every row and each function imports those constants.
import type * as z from 'zod';
import { ROUTES } from './routes.ts';
import type { ListVersionsReply } from './schemas/discovery.ts';
import { DEPRECATED_AT_SECONDS, SUNSET_DATE_DEFAULT, SUPPORTED_VERSIONS, API_VERSION } from './versions.ts';

/** Lists the versions served and the deprecated operations; `sunsetDay` (`YYYY-MM-DD`) is the operator's. */
export function versionList(sunsetDay: string = SUNSET_DATE_DEFAULT): z.input<typeof ListVersionsReply> {
  const deprecatedOn = new Date(DEPRECATED_AT_SECONDS * 1000).toISOString().slice(0, 10);
  return {
    current: API_VERSION,
    supported: SUPPORTED_VERSIONS.map((version) => ({ ...version })),
    deprecated_operations: ROUTES.flatMap(({ operationId, deprecated }) =>
      deprecated === undefined
        ? []
        : [{ operation_id: operationId, replaced_by: deprecated.replacedBy, deprecated_on: deprecatedOn, sunset_on: sunsetDay }],
    ),
  };
}
