// Webhooks: registering, changing, trying and looking back.
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openDeliveries } from '#adapters/dynamo/delivery-store.ts';
import { openWebhooks } from '#adapters/dynamo/webhook-store.ts';
import { newWebhookSecret } from '#adapters/https/sign-delivery.ts';
import { openDeliveryQueue } from '#adapters/sqs/delivery-queue.ts';
import { webhooksRoutes } from '#contract/routes/webhooks.ts';
import { emailOf } from '#domain/identity/account.ts';
import { changeWebhook, deleteWebhook } from '#domain/webhooks/change-webhook.ts';
import { createWebhook, type WebhookWithSecret } from '#domain/webhooks/create-webhook.ts';
import { listDeliveries } from '#domain/webhooks/list-deliveries.ts';
import { redeliver, testWebhook } from '#domain/webhooks/order-delivery.ts';
import { type RotatedSecret, rotateSecret } from '#domain/webhooks/rotate-secret.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { allowsLoopback } from './loopback.ts';
import { createdBody, deliveryRow, rotatedBody, testEvent, webhookRow } from './present.ts';

const { config, table, options } = openAccess();
const ports = {
  webhooks: openWebhooks(table),
  deliveries: openDeliveries(table),
  committer: openCommitter(table),
  queue: openDeliveryQueue({ deliveries: required('DELIVERIES_QUEUE_URL'), retries: required('RETRIES_QUEUE_URL') }),
  sealer: options.gate.sealer,
  ids: systemIds,
  newSecret: newWebhookSecret,
  allowsLoopback: allowsLoopback(config),
};

const ordered = (deliveryId: string) => ({ success: true as const, delivery_id: deliveryId });

export const handler = areaHandler(webhooksRoutes, options, {
  createWebhook: async ({ body }, { wallet, now, commitReply }) => {
    const request = { wallet, ...body, now, commitReply: (created: WebhookWithSecret) => commitReply(200, createdBody(created)) };
    const created = await createWebhook(ports, request);
    return created.ok ? answerWith(createdBody(created.value)) : created;
  },
  listWebhooks: async (_input, { wallet }) => answerWith({ webhooks: (await ports.webhooks.list(wallet)).map(webhookRow) }),
  updateWebhook: async ({ params, body }, { wallet }) => {
    const edit = { url: body.url, events: body.events, isActive: body.active };
    const changed = await changeWebhook(ports, { wallet, id: params.id, edit });
    return changed.ok ? answerWith(webhookRow(changed.value)) : changed;
  },
  deleteWebhook: async ({ params }, { wallet }) => {
    const deleted = await deleteWebhook(ports, { wallet, id: params.id });
    return deleted.ok ? answerWith({ success: true as const }) : deleted;
  },
  rotateWebhookSecret: async ({ params }, { wallet, now, commitReply }) => {
    const request = { wallet, id: params.id, now, commitReply: (rotated: RotatedSecret) => commitReply(200, rotatedBody(rotated)) };
    const rotated = await rotateSecret(ports, request);
    return rotated.ok ? answerWith(rotatedBody(rotated.value)) : rotated;
  },
  testWebhook: async ({ params }, { account, wallet, now, commitReply }) => {
    const eventOf = () => testEvent(emailOf(account.handle, config.mailDomain), now);
    const order = { wallet, webhookId: params.id, now, eventOf, commitReply: (id: string) => commitReply(202, ordered(id)) };
    const placed = await testWebhook(ports, order);
    return placed.ok ? answerWith(ordered(placed.value), 202) : placed;
  },
  listWebhookDeliveries: async ({ params, query }, { wallet }) => {
    const page = await listDeliveries(ports, { wallet, webhookId: params.id, limit: query.limit, cursor: query.cursor });
    if (!page.ok) return page;
    return answerWith({ deliveries: page.value.deliveries.map(deliveryRow), next_cursor: page.value.nextCursor });
  },
  redeliverWebhook: async ({ params }, { wallet, now, commitReply }) => {
    const order = {
      wallet,
      webhookId: params.id,
      deliveryId: params.deliveryId,
      now,
      commitReply: (id: string) => commitReply(202, ordered(id)),
    };
    const placed = await redeliver(ports, order);
    return placed.ok ? answerWith(ordered(placed.value), 202) : placed;
  },
});
