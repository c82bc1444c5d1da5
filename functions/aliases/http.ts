// The rows of this area; they answer once their use cases are here.
import { aliasesRoutes } from '#contract/routes/aliases.ts';
import { areaHandler } from '#http/area-handler.ts';
import { openAccess } from '../access.ts';

export const handler = areaHandler(aliasesRoutes, openAccess().options, {});
