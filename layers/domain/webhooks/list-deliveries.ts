// The log of a webhook: its last hundred deliveries, a page at a time.
import { fail, ok, type Outcome } from '../errors.ts';
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

const readCursor = (cursor: string): Outcome<{ readonly shown: number; readonly after: string }> => {
  const [, shown, after] = CURSOR.exec(cursor) ?? [];
  return after === undefined ? fail('invalid_request', { message: 'cursor is not one of ours' }) : ok({ shown: Number(shown), after });
};

/** Lists newest first; a cursor that was never given out is `invalid_request`. */
export const listDeliveries = async (
  ports: { readonly webhooks: Pick<Webhooks, 'byId'>; readonly deliveries: Pick<Deliveries, 'list'> },
  request: { readonly wallet: Wallet; readonly webhookId: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Outcome<DeliveriesPage>> => {
  const { wallet, webhookId } = request;
  const found = await findWebhook(ports.webhooks, wallet, webhookId);
  if (!found.ok) return found;
  const start = request.cursor === undefined ? ok({ shown: 0, after: undefined }) : readCursor(request.cursor);
  if (!start.ok) return start;
  const { shown, after } = start.value;
  const limit = Math.min(request.limit, SHOWN_MAX - shown);
  if (limit <= 0) return ok({ deliveries: [], nextCursor: null });
  const { deliveries, lastId } = await ports.deliveries.list({ wallet, webhookId, limit, ...(after !== undefined && { after }) });
  const shownNow = shown + deliveries.length;
  return ok({ deliveries, nextCursor: lastId === undefined || shownNow >= SHOWN_MAX ? null : `${shownNow}-${lastId}` });
};
