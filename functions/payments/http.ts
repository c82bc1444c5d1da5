// The rows of this area; they answer once their use cases are here.
import { paymentsRoutes } from '#contract/routes/payments.ts';
import { areaHandler } from '#http/area-handler.ts';
import { openAccess } from '../access.ts';

export const handler = areaHandler(paymentsRoutes, openAccess().options, {});
