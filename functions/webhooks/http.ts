// The rows of this area; they answer once their use cases are here.
import { webhooksRoutes } from '#contract/routes/webhooks.ts';
import { areaHandler } from '#http/area-handler.ts';
import { openAccess } from '../access.ts';

export const handler = areaHandler(webhooksRoutes, openAccess().options, {});
