// The rows of this area; they answer once their use cases are here.
import { attentionRoutes } from '#contract/routes/attention.ts';
import { areaHandler } from '#http/area-handler.ts';
import { openAccess } from '../access.ts';

export const handler = areaHandler(attentionRoutes, openAccess().options, {});
