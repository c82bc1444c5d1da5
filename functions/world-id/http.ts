// The rows of this area; they answer once their use cases are here.
import { worldIdRoutes } from '#contract/routes/world-id.ts';
import { areaHandler } from '#http/area-handler.ts';
import { openAccess } from '../access.ts';

export const handler = areaHandler(worldIdRoutes, openAccess().options, {});
