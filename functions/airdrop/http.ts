// The rows of this area; they answer once their use cases are here.
import { airdropRoutes } from '#contract/routes/airdrop.ts';
import { areaHandler } from '#http/area-handler.ts';
import { openAccess } from '../access.ts';

export const handler = areaHandler(airdropRoutes, openAccess().options, {});
