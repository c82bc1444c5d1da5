// Changes and deletes webhooks.
import { notFound, ok, type Outcome } from '../errors.ts';
import type { Committer } from '../ports/changes.ts';
import type { Webhook, Webhooks } from '../ports/webhooks.ts';
import { isTimeId } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import { judgeUrl } from './endpoint-url.ts';

export interface ChangeWebhookPorts {
  readonly webhooks: Pick<Webhooks, 'byId'>;
  readonly committer: Committer;
  readonly allowsLoopback: boolean;
}

/** Finds a webhook of an account; ids that cannot be ids are not looked up. */
export const findWebhook = async (webhooks: Pick<Webhooks, 'byId'>, wallet: Wallet, id: string): Promise<Outcome<Webhook>> => {
  const found = isTimeId(id) ? await webhooks.byId(wallet, id) : undefined;
  return found ? ok(found) : notFound('Webhook');
};

export interface WebhookEdit {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly isActive?: boolean | undefined;
}

const setOf = (edit: WebhookEdit) => ({
  ...(edit.url !== undefined && { url: edit.url }),
  ...(edit.events !== undefined && { events: [...new Set(edit.events)] }),
  ...(edit.isActive !== undefined && { isActive: edit.isActive }),
});

/** Sets the fields that were given. A new address, and `isActive: true`, begin with a clean slate. */
export const changeWebhook = async (
  ports: ChangeWebhookPorts,
  request: { readonly wallet: Wallet; readonly id: string; readonly edit: WebhookEdit },
): Promise<Outcome<Webhook>> => {
  const { wallet, id, edit } = request;
  const found = await findWebhook(ports.webhooks, wallet, id);
  if (!found.ok) return found;
  const url = edit.url === undefined ? ok('') : judgeUrl(edit.url, ports);
  if (!url.ok) return url;
  const startsAfresh = edit.isActive === true || (edit.url !== undefined && edit.url !== found.value.url);
  const committed = await ports.committer.commit([{ kind: 'webhook.change', wallet, id, set: setOf(edit), startsAfresh }]);
  return committed.ok ? findWebhook(ports.webhooks, wallet, id) : committed;
};

/** Deletes a webhook; what still waits for it is dropped when its time comes. */
export const deleteWebhook = async (
  ports: ChangeWebhookPorts,
  request: { readonly wallet: Wallet; readonly id: string },
): Promise<Outcome<void>> => {
  const found = await findWebhook(ports.webhooks, request.wallet, request.id);
  return found.ok ? ports.committer.commit([{ kind: 'webhook.delete', ...request }]) : found;
};
