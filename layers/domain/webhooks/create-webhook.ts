// Registers an endpoint; its secret is shown once and stored encrypted.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Sealer } from '../ports/idempotency.ts';
import type { Webhook } from '../ports/webhooks.ts';
import type { Ids } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import { judgeUrl } from './endpoint-url.ts';

export const WEBHOOKS_MAX = 20;

export interface CreateWebhookPorts {
  readonly committer: Committer;
  readonly sealer: Sealer;
  readonly ids: Ids;
  /** A fresh `whsec_` secret. */
  readonly newSecret: () => string;
  readonly allowsLoopback: boolean;
}

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

const TOO_MANY = fail('limit_reached', { message: `An account may have ${WEBHOOKS_MAX} webhooks` });

/** @returns the webhook and its secret, `invalid_request` for an address that is not allowed, or `limit_reached`. */
export const createWebhook = async (
  ports: CreateWebhookPorts,
  request: {
    readonly wallet: Wallet;
    readonly url: string;
    readonly events: readonly string[];
    readonly now: number;
    readonly commitReply: (created: WebhookWithSecret) => Promise<Change[]>;
  },
): Promise<Outcome<WebhookWithSecret>> => {
  const url = judgeUrl(request.url, ports);
  if (!url.ok) return url;
  const secret = ports.newSecret();
  const webhook: Webhook = {
    wallet: request.wallet,
    id: ports.ids.next(request.now),
    url: url.value,
    events: [...new Set(request.events)],
    isActive: true,
    disabledReason: null,
    createdAt: request.now,
    sealedSecret: await ports.sealer.seal(secret),
    retiredSecrets: [],
    standing: 'new',
    failingSince: null,
  };
  const created = { webhook, secret };
  const put: Change = { kind: 'webhook.put', webhook, most: WEBHOOKS_MAX, refusal: TOO_MANY };
  const committed = await ports.committer.commit([put, ...(await request.commitReply(created))]);
  return committed.ok ? ok(created) : committed;
};
