// Replaces the secret of a webhook; the old one signs beside it for a day, so that receivers can change over.
import { ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Sealer } from '../ports/idempotency.ts';
import type { RetiredSecret, Webhook, Webhooks } from '../ports/webhooks.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';
import { findWebhook } from './change-webhook.ts';
import type { WebhookWithSecret } from './create-webhook.ts';

const OVERLAP_SECONDS = SECONDS_PER_DAY;
/** Someone who rotates in a loop must not grow the signature header without end. */
const RETIRED_MAX = 3;

export interface RotatePorts {
  readonly webhooks: Pick<Webhooks, 'byId'>;
  readonly committer: Committer;
  readonly sealer: Sealer;
  readonly newSecret: () => string;
}

export interface RotatedSecret extends WebhookWithSecret {
  readonly previousUntil: number;
}

const retire = (webhook: Webhook, now: number): readonly RetiredSecret[] =>
  [{ sealed: webhook.sealedSecret, until: now + OVERLAP_SECONDS }, ...webhook.retiredSecrets.filter(({ until }) => until > now)].slice(
    0,
    RETIRED_MAX,
  );

/** @returns the new secret and until when the old one signs too; `try_again` when another rotation came first. */
export const rotateSecret = async (
  ports: RotatePorts,
  request: {
    readonly wallet: Wallet;
    readonly id: string;
    readonly now: number;
    readonly commitReply: (rotated: RotatedSecret) => Promise<Change[]>;
  },
): Promise<Outcome<RotatedSecret>> => {
  const found = await findWebhook(ports.webhooks, request.wallet, request.id);
  if (!found.ok) return found;
  const webhook = found.value;
  const secret = ports.newSecret();
  const sealedSecret = await ports.sealer.seal(secret);
  const rotated = { webhook, secret, previousUntil: request.now + OVERLAP_SECONDS };
  const change: Change = { kind: 'webhook.rotate', webhook, sealedSecret, retired: retire(webhook, request.now) };
  const committed = await ports.committer.commit([change, ...(await request.commitReply(rotated))]);
  return committed.ok ? ok(rotated) : committed;
};
