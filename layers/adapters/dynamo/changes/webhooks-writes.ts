// Writes of webhooks and of ordered deliveries.
import { fail, notFound } from '#domain/errors.ts';
import type { Change } from '#domain/ports/changes.ts';
import { keys } from '../keys.ts';
import type { Write } from '../transact.ts';
import { deliveryItem, webhookItem } from '../webhook-codec.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const RACED = fail('try_again', { retryAfterSeconds: 1 });
const GONE = notFound('Webhook');

/** The count stands in the same transaction: two requests at once cannot both take the last place. */
export const webhookPutWrites = (TableName: string, { webhook, most, refusal }: Of<'webhook.put'>): Write[] => [
  {
    action: {
      Update: {
        TableName,
        Key: keys.webhookCount(webhook.wallet),
        UpdateExpression: 'SET #type = :type ADD n :one',
        ConditionExpression: 'attribute_not_exists(n) OR n < :most',
        ExpressionAttributeNames: { '#type': 'type' },
        ExpressionAttributeValues: { ':type': 'webhook-count', ':one': 1, ':most': most },
      },
    },
    refused: () => refusal,
  },
  {
    action: { Put: { TableName, Item: { ...webhookItem(webhook) }, ConditionExpression: 'attribute_not_exists(PK)' } },
    refused: () => RACED,
  },
];

const FIELDS = { url: 'url', events: 'ev', isActive: 'on' } as const;
/** What a webhook is that nothing is known of yet. */
const AFRESH = { set: '#st = :new', remove: ' REMOVE fs, why, dueS, dueA' } as const;

export const webhookChangeWrite = (TableName: string, { wallet, id, set, startsAfresh }: Of<'webhook.change'>): Write => {
  const fields = Object.entries(set).map(([name, value]) => [FIELDS[name as keyof typeof FIELDS], value] as const);
  const sets = [...fields.map(([attribute]) => `#${attribute} = :${attribute}`), ...(startsAfresh ? [AFRESH.set] : [])];
  return {
    action: {
      Update: {
        TableName,
        Key: keys.webhook(wallet, id),
        UpdateExpression: `SET ${sets.join(', ')}${startsAfresh ? AFRESH.remove : ''}`,
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeNames: {
          ...Object.fromEntries(fields.map(([attribute]) => [`#${attribute}`, attribute])),
          ...(startsAfresh && { '#st': 'st' }),
        },
        ExpressionAttributeValues: {
          ...Object.fromEntries(fields.map(([attribute, value]) => [`:${attribute}`, value])),
          ...(startsAfresh && { ':new': 'new' }),
        },
      },
    },
    refused: () => GONE,
  };
};

export const webhookRotateWrite = (TableName: string, { webhook, sealedSecret, retired }: Of<'webhook.rotate'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.webhook(webhook.wallet, webhook.id),
      UpdateExpression: 'SET sec = :new, #old = :retired',
      ConditionExpression: 'sec = :was',
      ExpressionAttributeNames: { '#old': 'old' },
      ExpressionAttributeValues: { ':new': sealedSecret, ':retired': retired, ':was': webhook.sealedSecret },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  },
  refused: (item) => (item ? RACED : GONE),
});

export const webhookDeleteWrites = (TableName: string, { wallet, id }: Of<'webhook.delete'>): Write[] => [
  {
    action: { Delete: { TableName, Key: keys.webhook(wallet, id), ConditionExpression: 'attribute_exists(PK)' } },
    refused: () => GONE,
  },
  {
    action: {
      Update: { TableName, Key: keys.webhookCount(wallet), UpdateExpression: 'ADD n :less', ExpressionAttributeValues: { ':less': -1 } },
    },
    refused: () => RACED,
  },
];

/** An attempt that is made meanwhile moves the row on, and the order is decided afresh. */
export const deliveryOrderWrite = (TableName: string, { delivery, was }: Of<'delivery.order'>): Write => ({
  action: {
    Put: {
      TableName,
      Item: { ...deliveryItem(delivery) },
      ...(was
        ? {
            ConditionExpression: 'tr = :tr AND #st = :st',
            ExpressionAttributeNames: { '#st': 'st' },
            ExpressionAttributeValues: { ':tr': was.attempts, ':st': was.state },
          }
        : { ConditionExpression: 'attribute_not_exists(PK)' }),
    },
  },
  refused: () => RACED,
});
