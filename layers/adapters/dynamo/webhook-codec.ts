// Webhook and delivery items ⇄ webhooks and deliveries.
import { invariant } from '#domain/errors.ts';
import type { Delivery, RetiredSecret, Webhook } from '#domain/ports/webhooks.ts';
import { SECONDS_PER_DAY } from '#domain/values/time.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { dueShard, keys } from './keys.ts';
import { DUE_SHARDS } from './table-schema.ts';
import type { Item } from './table.ts';

const VERSION = 1;
/** The log shows a hundred rows and forgets what is older than this. */
const LOG_LIFE_SECONDS = 30 * SECONDS_PER_DAY;

/** Spreads items over the due index by the last character of an id, which is random. */
export const shardOf = (id: string): number => id.charCodeAt(id.length - 1) % DUE_SHARDS;

const walletOf = (item: Item): Wallet => String(item['PK']).slice(2) as Wallet;
const lastPart = (item: Item): string => String(item['SK']).split('#').at(-1) ?? '';

const nullable = <T>(value: unknown): T | null => (value as T | undefined) ?? null;

/** The item of a new webhook. */
export const webhookItem = (webhook: Webhook): Item => ({
  ...keys.webhook(webhook.wallet, webhook.id),
  type: 'webhook',
  version: VERSION,
  url: webhook.url,
  ev: webhook.events,
  on: webhook.isActive,
  at: webhook.createdAt,
  sec: webhook.sealedSecret,
  old: webhook.retiredSecrets,
  st: webhook.standing,
});

export const readWebhook = (item: Item): Webhook => {
  invariant(item['type'] === 'webhook' && item['version'] === VERSION, `webhook item version ${String(item['version'])}`);
  return {
    wallet: walletOf(item),
    id: lastPart(item),
    url: String(item['url']),
    events: item['ev'] as string[],
    isActive: item['on'] === true,
    disabledReason: nullable<string>(item['why']),
    createdAt: Number(item['at']),
    sealedSecret: String(item['sec']),
    retiredSecrets: item['old'] as RetiredSecret[],
    standing: item['st'] as Webhook['standing'],
    failingSince: nullable<number>(item['fs']),
  };
};

const definedOf = (fields: Item): Item =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** The item of a delivery; while it waits it stands in the due index for the sweep. */
export const deliveryItem = (delivery: Delivery): Item => ({
  ...keys.delivery(delivery.wallet, delivery.webhookId, delivery.id),
  type: 'delivery',
  version: VERSION,
  ty: delivery.type,
  body: delivery.body,
  at: delivery.createdAt,
  st: delivery.state,
  tr: delivery.attempts,
  ttl: (delivery.attemptedAt ?? delivery.nextAttemptAt ?? delivery.createdAt) + LOG_LIFE_SECONDS,
  ...(delivery.isOrdered && { om: true }),
  ...(delivery.sweepAt !== null && { dueS: dueShard('delivery', shardOf(delivery.id)), dueA: delivery.sweepAt }),
  ...definedOf({
    em: delivery.emailId,
    sc: delivery.status,
    er: delivery.error,
    ms: delivery.latencyMs,
    ex: delivery.excerpt,
    aa: delivery.attemptedAt,
    na: delivery.nextAttemptAt,
  }),
});

export const readDelivery = (item: Item): Delivery => {
  invariant(item['type'] === 'delivery' && item['version'] === VERSION, `delivery item version ${String(item['version'])}`);
  return {
    wallet: walletOf(item),
    webhookId: String(item['SK']).split('#')[1] ?? '',
    id: lastPart(item),
    type: String(item['ty']),
    emailId: nullable<string>(item['em']),
    body: String(item['body']),
    createdAt: Number(item['at']),
    state: item['st'] as Delivery['state'],
    attempts: Number(item['tr']),
    isOrdered: item['om'] === true,
    status: nullable<number>(item['sc']),
    error: nullable<string>(item['er']),
    latencyMs: nullable<number>(item['ms']),
    excerpt: nullable<string>(item['ex']),
    attemptedAt: nullable<number>(item['aa']),
    nextAttemptAt: nullable<number>(item['na']),
    sweepAt: nullable<number>(item['dueA']),
  };
};
