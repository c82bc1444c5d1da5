// Writes of names: aliases that become handles and back, purchases with their place in the nonce lane, the directory.
import { fail, notFound } from '#domain/errors.ts';
import type { Change } from '#domain/ports/changes.ts';
import type { Purchase } from '#domain/ports/names.ts';
import { PLATFORM_CHAIN_ID } from '../purchase-store.ts';
import { dueShard, keys } from '../keys.ts';
import { DUE_SHARDS } from '../table-schema.ts';
import type { Item } from '../table.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const VERSION = 1;
const RACED = fail('try_again', { retryAfterSeconds: 1 });
const NO_ALIAS = notFound('Alias');

const pointTo = (TableName: string, handle: string, wallet: string, from: string, to: string, refused: Write['refused']): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.handle(handle),
      UpdateExpression: 'SET #role = :to',
      ConditionExpression: 'w = :w AND #role = :from',
      ExpressionAttributeNames: { '#role': 'role' },
      ExpressionAttributeValues: { ':w': wallet, ':from': from, ':to': to },
    },
  },
  refused,
});

export const aliasPromoteWrites = (TableName: string, { wallet, handle }: Of<'alias.promote'>): Write[] => [
  pointTo(TableName, handle, wallet, 'alias', 'handle', () => RACED),
  { action: { Delete: { TableName, Key: keys.alias(wallet, handle) } }, refused: () => RACED },
];

export const aliasDemoteWrites = (TableName: string, { wallet, handle, at }: Of<'alias.demote'>): Write[] => [
  pointTo(TableName, handle, wallet, 'handle', 'alias', () => RACED),
  {
    action: { Put: { TableName, Item: { ...keys.alias(wallet, handle), type: 'alias', version: VERSION, at } } },
    refused: () => RACED,
  },
];

/** The pointer goes first of all: without it no mail is delivered and the name is free for its next owner. */
export const aliasRemoveWrites = (TableName: string, { wallet, handle }: Of<'alias.remove'>): Write[] => [
  {
    action: {
      Delete: {
        TableName,
        Key: keys.handle(handle),
        ConditionExpression: 'w = :w AND #role = :alias',
        ExpressionAttributeNames: { '#role': 'role' },
        ExpressionAttributeValues: { ':w': wallet, ':alias': 'alias' },
      },
    },
    refused: () => NO_ALIAS,
  },
  { action: { Delete: { TableName, Key: keys.alias(wallet, handle) } }, refused: () => NO_ALIAS },
];

const shardOf = (wallet: string): number => wallet.charCodeAt(wallet.length - 1) % DUE_SHARDS;

const purchaseItem = (purchase: Purchase): Item => ({
  ...keys.purchase(purchase.wallet),
  type: 'purchase',
  version: VERSION,
  w: purchase.wallet,
  label: purchase.label,
  st: purchase.state,
  raw: purchase.raw,
  hash: purchase.hash,
  nonce: purchase.nonce,
  // As text: wei may exceed what a number holds exactly.
  wei: String(purchase.priceWei),
  at: purchase.createdAt,
  dueS: dueShard('purchase', shardOf(purchase.wallet)),
  dueA: purchase.dueAt,
});

/** The purchase and its place in the lane are one: whoever takes the lane next finds what was signed last. */
export const purchaseSendWrites = (TableName: string, { purchase, laneToken }: Of<'purchase.send'>): Write[] => [
  {
    action: {
      Put: {
        TableName,
        Item: purchaseItem(purchase),
        ConditionExpression: 'attribute_not_exists(PK) OR st <> :sent',
        ExpressionAttributeValues: { ':sent': 'sent' },
      },
    },
    refused: () => RACED,
  },
  {
    action: {
      Update: {
        TableName,
        Key: keys.nonceLane(PLATFORM_CHAIN_ID),
        UpdateExpression: 'SET nextNonce = :next, cur = :w',
        ConditionExpression: 'tok = :tok',
        ExpressionAttributeValues: { ':tok': laneToken, ':next': purchase.nonce + 1, ':w': purchase.wallet },
      },
    },
    refused: () => RACED,
  },
];

export const purchaseEndWrite = (TableName: string, change: Of<'purchase.end'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.purchase(change.wallet),
      UpdateExpression: 'SET st = :state REMOVE dueS, dueA',
      ConditionExpression: 'st = :sent AND #hash = :hash',
      ExpressionAttributeNames: { '#hash': 'hash' },
      ExpressionAttributeValues: { ':state': change.state, ':sent': 'sent', ':hash': change.hash },
    },
  },
  refused: () => RACED,
});

/** Written over when the handle changes: the place is that of the registration. */
export const directoryPutWrite = (TableName: string, { account }: Of<'directory.put'>): Write => ({
  action: {
    Put: {
      TableName,
      Item: {
        ...keys.directoryEntry(account.registeredAt, account.wallet),
        type: 'agent',
        version: VERSION,
        w: account.wallet,
        hdl: account.handle,
        bn: account.basename,
        reg: account.registeredAt,
      },
    },
  },
  refused: () => RACED,
});
