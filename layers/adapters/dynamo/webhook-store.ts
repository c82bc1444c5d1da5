// Webhooks in the table: reads, and the slots and health that the delivering functions write. Everything stands in a
// partition of its own, so that those functions can be kept from all others.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Health, Lane, Slot, SlotResult, Webhook, Webhooks } from '#domain/ports/webhooks.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { FAILING_MAX_SECONDS } from '#domain/webhooks/health.ts';
import { dueShard, keys, prefixes, webhookPartition } from './keys.ts';
import { DUE_SHARDS, TABLE_SCHEMA } from './table-schema.ts';
import { getItem, type Item, query, queryAll, type Table } from './table.ts';
import { readWebhook, shardOf } from './webhook-codec.ts';

const { dueIndex } = TABLE_SCHEMA;

/** How many functions may call one endpoint at a time: several once it has shown that it is quick, else one. */
const SLOTS_GOOD = 4;
/** A slot runs out after its holder must be dead (the delivering functions live 20 seconds). */
const SLOT_LIFE_SECONDS = 25;
const SLOT_TRIES = 3;

const slotName = (index: number): string => `l${index}`;

type Refusal = { readonly refused: Item | undefined };

const updateOne = async (table: Table, input: Omit<UpdateCommand['input'], 'TableName'>): Promise<Item | Refusal> => {
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({ TableName: table.name, ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'ALL_OLD', ...input }),
    );
    return Attributes ?? {};
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { refused: error.Item && unmarshall(error.Item) };
    throw error;
  }
};

const isRefusal = (result: Item | Refusal): result is Refusal => 'refused' in result;

const claimSlot = (
  table: Table,
  wallet: Wallet,
  id: string,
  claim: { lane: Lane; now: number; index: number },
): Promise<Item | Refusal> => {
  const { lane, now, index } = claim;
  const conditions = ['attribute_exists(PK)', '(attribute_not_exists(#l) OR #l <= :now)'];
  if (index > 0) conditions.push('#st = :good');
  if (lane === 'deliveries') conditions.push('#st <> :slow');
  return updateOne(table, {
    Key: keys.webhook(wallet, id),
    UpdateExpression: 'SET #l = :until',
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: { '#l': slotName(index), ...((index > 0 || lane === 'deliveries') && { '#st': 'st' }) },
    ExpressionAttributeValues: {
      ':now': now,
      ':until': now + SLOT_LIFE_SECONDS,
      ...(index > 0 && { ':good': 'good' }),
      ...(lane === 'deliveries' && { ':slow': 'slow' }),
    },
  });
};

const freeSlot = (item: Item, now: number): number | undefined => {
  const allowed = item['st'] === 'good' ? SLOTS_GOOD : 1;
  return Array.from({ length: allowed }, (_, index) => index).find((index) => Number(item[slotName(index)] ?? 0) <= now);
};

const takeSlot = async (table: Table, wallet: Wallet, id: string, lane: Lane, now: number): Promise<SlotResult> => {
  let standing: Webhook['standing'] = 'new';
  // Good endpoints are the usual case, and different functions had better begin at different slots.
  let index: number | undefined = lane === 'deliveries' ? Math.floor(Math.random() * SLOTS_GOOD) : 0;
  for (let tries = 0; tries < SLOT_TRIES && index !== undefined; tries += 1) {
    const result = await claimSlot(table, wallet, id, { lane, now, index });
    if (!isRefusal(result)) return { result: 'taken', slot: { webhook: readWebhook(result), index } };
    if (!result.refused) return { result: 'missing' };
    standing = result.refused['st'] as Webhook['standing'];
    if (lane === 'deliveries' && standing === 'slow') break;
    index = freeSlot(result.refused, now);
  }
  return { result: 'busy', standing };
};

interface HealthUpdate {
  readonly sets: readonly string[];
  readonly removes: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

const WELL = ['fs', 'dueS', 'dueA'];

const failingUpdate = (id: string, at: number): HealthUpdate => ({
  sets: ['#st = :slow', 'fs = if_not_exists(fs, :at)', 'dueS = if_not_exists(dueS, :shard)', 'dueA = if_not_exists(dueA, :over)'],
  removes: [],
  names: { '#st': 'st' },
  values: { ':slow': 'slow', ':at': at, ':shard': dueShard('webhook', shardOf(id)), ':over': at + FAILING_MAX_SECONDS },
});

const healthUpdate = (id: string, health: Health): HealthUpdate => {
  switch (health.kind) {
    case 'unknown':
      return { sets: [], removes: [], names: {}, values: {} };
    case 'working':
      return { sets: ['#st = :st'], removes: WELL, names: { '#st': 'st' }, values: { ':st': health.standing } };
    case 'failing':
      return failingUpdate(id, health.at);
    case 'gone':
      return {
        sets: ['#on = :off', 'why = :why'],
        removes: WELL,
        names: { '#on': 'on' },
        values: { ':off': false, ':why': health.reason },
      };
  }
};

const releaseSlot = async (table: Table, { webhook, index }: Slot, health: Health): Promise<Webhook | undefined> => {
  const { sets, removes, names, values } = healthUpdate(webhook.id, health);
  const result = await updateOne(table, {
    Key: keys.webhook(webhook.wallet, webhook.id),
    UpdateExpression: `${sets.length > 0 ? `SET ${sets.join(', ')} ` : ''}REMOVE ${[slotName(index), ...removes].join(', ')}`,
    // What another address did is no news about this one; the slot of the old address runs out by itself.
    ConditionExpression: '#url = :url',
    ExpressionAttributeNames: { '#url': 'url', ...names },
    ExpressionAttributeValues: { ':url': webhook.url, ...values },
  });
  return isRefusal(result) ? undefined : readWebhook(result);
};

const disable = async (table: Table, webhook: Webhook, reason: string): Promise<void> => {
  await updateOne(table, {
    Key: keys.webhook(webhook.wallet, webhook.id),
    UpdateExpression: 'SET #on = :off, why = :why REMOVE fs, dueS, dueA',
    ConditionExpression: 'fs = :fs',
    ExpressionAttributeNames: { '#on': 'on' },
    ExpressionAttributeValues: { ':off': false, ':why': reason, ':fs': webhook.failingSince },
  });
};

const failingInShard = async (table: Table, shard: number, before: number, limit: number): Promise<Webhook[]> => {
  const page = await query(table, {
    IndexName: dueIndex.name,
    KeyConditionExpression: '#s = :s AND #a <= :now',
    ExpressionAttributeNames: { '#s': dueIndex.partitionKey, '#a': dueIndex.sortKey },
    ExpressionAttributeValues: { ':s': dueShard('webhook', shard), ':now': before + FAILING_MAX_SECONDS },
    Limit: limit,
  });
  return page.items.map(readWebhook).filter(({ failingSince }) => failingSince !== null);
};

export const openWebhooks = (table: Table): Webhooks => ({
  list: async (wallet) => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': webhookPartition(wallet), ':prefix': prefixes.webhooks },
      ConsistentRead: true,
    });
    return items.map(readWebhook);
  },
  byId: async (wallet, id) => {
    const item = await getItem(table, keys.webhook(wallet, id), { strong: true });
    return item && readWebhook(item);
  },
  takeSlot: (wallet, id, lane, now) => takeSlot(table, wallet, id, lane, now),
  releaseSlot: (slot, health) => releaseSlot(table, slot, health),
  disable: (webhook, reason) => disable(table, webhook, reason),
  failing: async (before, limit) => {
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => failingInShard(table, shard, before, limit));
    return (await Promise.all(shards)).flat();
  },
});
