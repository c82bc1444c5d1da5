// The rows of this area; they answer once their use cases are here.
import { settingsRoutes } from '#contract/routes/settings.ts';
import { areaHandler } from '#http/area-handler.ts';
import { openAccess } from '../access.ts';

export const handler = areaHandler(settingsRoutes, openAccess().options, {});
