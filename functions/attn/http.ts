// The rows of this area; they answer once their use cases are here.
import { attnRoutes } from '#contract/routes/attn.ts';
import { areaHandler } from '#http/area-handler.ts';
import { openAccess } from '../access.ts';

export const handler = areaHandler(attnRoutes, openAccess().options, {});
