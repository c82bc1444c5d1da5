// Writes of the older USDC attention: pricing, whitelists, pair counts and both sides of a bond.
import { fail, notFound } from '#domain/errors.ts';
import type { AttentionConfig } from '#domain/attention/config.ts';
import type { Change } from '#domain/ports/changes.ts';
import { receivedBondItem, sentBondItem } from '../bond-codec.ts';
import { keys } from '../keys.ts';
import type { Item } from '../table.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const VERSION = 1;
const MOVED_ON = fail('try_again', { retryAfterSeconds: 1 });

const CONFIG_ATTRIBUTES: Readonly<Record<keyof AttentionConfig, string>> = {
  enabled: 'en',
  basePrice: 'p0',
  alpha: 'al',
  beta: 'be',
  gamma: 'ga',
  responseWindowHours: 'rw',
};

/** One update that needs no reading before it: given fields are set, the others keep their value or get their default. */
export const configureWrite = (TableName: string, { wallet, set, defaults }: Of<'attention.configure'>): Write => {
  const fields = Object.entries(CONFIG_ATTRIBUTES) as [keyof AttentionConfig, string][];
  const sets = fields.map(([field, name]) => `#${name} = ${set[field] === undefined ? `if_not_exists(#${name}, :${name})` : `:${name}`}`);
  return {
    action: {
      Update: {
        TableName,
        Key: keys.attentionConfig(wallet),
        UpdateExpression: `SET #type = :type, version = :version, ${sets.join(', ')}`,
        ExpressionAttributeNames: { '#type': 'type', ...Object.fromEntries(fields.map(([, name]) => [`#${name}`, name])) },
        ExpressionAttributeValues: {
          ':type': 'attention-config',
          ':version': VERSION,
          ...Object.fromEntries(fields.map(([field, name]) => [`:${name}`, set[field] ?? defaults[field]])),
        },
      },
    },
    refused: () => MOVED_ON,
  };
};

export const whitelistPutWrite = (TableName: string, { owner, entry }: Of<'whitelist.put'>): Write => ({
  action: {
    Put: {
      TableName,
      Item: {
        ...keys.whitelistEntry(owner, entry.wallet),
        type: 'whitelist',
        version: VERSION,
        id: entry.id,
        hdl: entry.handle,
        no: entry.note,
        at: entry.createdAt,
      },
    },
  },
  refused: () => MOVED_ON,
});

export const whitelistRemoveWrite = (TableName: string, { owner, sender }: Of<'whitelist.remove'>): Write => ({
  action: { Delete: { TableName, Key: keys.whitelistEntry(owner, sender), ConditionExpression: 'attribute_exists(PK)' } },
  refused: () => notFound('Whitelist entry'),
});

const PAIR_ATTRIBUTES = { sent: 'se', replied: 're' } as const;

export const pairCountWrite = (TableName: string, { recipient, sender, counted }: Of<'pair.count'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.pair(recipient, sender),
      UpdateExpression: 'SET #type = :type ADD #n :one',
      ExpressionAttributeNames: { '#type': 'type', '#n': PAIR_ATTRIBUTES[counted] },
      ExpressionAttributeValues: { ':type': 'pair', ':one': 1 },
    },
  },
  refused: () => MOVED_ON,
});

const putNew = (TableName: string, Item: Item): Write => ({
  action: { Put: { TableName, Item: { ...Item }, ConditionExpression: 'attribute_not_exists(PK)' } },
  refused: () => MOVED_ON,
});

export const bondPutWrites = (TableName: string, { bond }: Of<'bond.put'>): Write[] => [
  putNew(TableName, receivedBondItem(bond)),
  putNew(TableName, sentBondItem(bond)),
];

const replaceActive = (TableName: string, Item: Item): Write => ({
  action: {
    Put: {
      TableName,
      Item: { ...Item },
      ConditionExpression: 'bS = :active',
      ExpressionAttributeValues: { ':active': 'active' },
    },
  },
  refused: () => MOVED_ON,
});

/** Whoever replaces the active item ends the bond: exactly one of answer, schedule and listing. */
export const bondEndWrites = (TableName: string, { bond }: Of<'bond.end'>): Write[] => [
  replaceActive(TableName, receivedBondItem(bond)),
  replaceActive(TableName, sentBondItem(bond)),
];
