// The log of a webhook: its last hundred deliveries, a page at a time.
import { ok, type Outcome } from '../errors.ts';
import type { Deliveries, Delivery, Webhooks } from '../ports/webhooks.ts';
import type { Wallet } from '../values/wallet.ts';
import { findWebhook } from './change-webhook.ts';

const SHOWN_MAX = 100;
/** How many were shown, and the last of them. The account's own log is all that a forged one reads. */
const CURSOR = /^(\d{1,3})-([0-9a-z]{26})$/;

export interface DeliveriesPage {
  readonly deliveries: readonly Delivery[];
  readonly nextCursor: string | null;
}

const readCursor = (cursor: string | undefined): { readonly shown: number; readonly after?: string } => {
  const [, shown, after] = CURSOR.exec(cursor ?? '') ?? [];
  return after === undefined ? { shown: 0 } : { shown: Number(shown), after };
};

/** Lists newest first; a cursor that is none begins at the top. */
export const listDeliveries = async (
  ports: { readonly webhooks: Pick<Webhooks, 'byId'>; readonly deliveries: Pick<Deliveries, 'list'> },
  request: { readonly wallet: Wallet; readonly webhookId: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Outcome<DeliveriesPage>> => {
  const { wallet, webhookId } = request;
  const found = await findWebhook(ports.webhooks, wallet, webhookId);
  if (!found.ok) return found;
  const { shown, after } = readCursor(request.cursor);
  const limit = Math.min(request.limit, SHOWN_MAX - shown);
  if (limit <= 0) return ok({ deliveries: [], nextCursor: null });
  const { deliveries, lastId } = await ports.deliveries.list({ wallet, webhookId, limit, ...(after !== undefined && { after }) });
  const shownNow = shown + deliveries.length;
  return ok({ deliveries, nextCursor: lastId === undefined || shownNow >= SHOWN_MAX ? null : `${shownNow}-${lastId}` });
};
