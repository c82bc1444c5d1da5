// Nonces, refresh tokens and API keys: what is looked up to let someone in. Secrets are known here by their hash only.
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKey } from '#domain/ports/changes.ts';
import type { ApiKeys, NonceRecord, Nonces, RefreshTokens } from '#domain/ports/stores.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { accountPartition, type Key, keys, prefixes } from './keys.ts';
import { getItem, type Item, queryAll, type Table } from './table.ts';

const VERSION = 1;
/** A key's last use is noted at most this often; noting each use would double the writes of every reader. */
const TOUCH_SECONDS = 3600;

const isRefused = (error: unknown): boolean => error instanceof Error && error.name === 'ConditionalCheckFailedException';

const nonceItem = (record: NonceRecord): Item => ({
  ...keys.nonce(record.nonce),
  type: 'nonce',
  version: VERSION,
  expires: record.expiresAt,
  ttl: record.expiresAt,
  ...(record.address !== undefined && { w: record.address }),
  ...(record.message !== undefined && { message: record.message }),
});

const readNonce = (nonce: string, item: Item): NonceRecord => ({
  nonce,
  expiresAt: Number(item['expires']),
  ...(item['w'] !== undefined && { address: item['w'] as Wallet }),
  ...(item['message'] !== undefined && { message: String(item['message']) }),
});

const bind = async (table: Table, record: Required<NonceRecord>, now: number): Promise<boolean> => {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.nonce(record.nonce),
        UpdateExpression: 'SET w = :w, message = :message',
        ConditionExpression: 'expires > :now AND attribute_not_exists(message)',
        ExpressionAttributeValues: { ':w': record.address, ':message': record.message, ':now': now },
      }),
    );
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
};

export const openNonces = (table: Table): Nonces => ({
  issue: async (record) => {
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: nonceItem(record), ConditionExpression: 'attribute_not_exists(PK)' }),
    );
  },
  bind: (record, now) => bind(table, record, now),
  find: async (nonce) => {
    const item = await getItem(table, keys.nonce(nonce), { strong: true });
    return item && readNonce(nonce, item);
  },
});

export const openRefreshTokens = (table: Table): RefreshTokens => ({
  find: async (hash) => {
    const item = await getItem(table, keys.refreshToken(hash), { strong: true });
    return item && { wallet: item['w'] as Wallet, expiresAt: Number(item['expires']) };
  },
});

const readApiKey = (wallet: Wallet, item: Item): ApiKey => ({
  id: String(item['SK']).slice(prefixes.apiKeys.length),
  wallet,
  name: (item['name'] as string | null) ?? null,
  prefix: String(item['prefix']),
  hash: String(item['hash']),
  createdAt: Number(item['at']),
  lastUsedAt: item['used'] === undefined ? null : Number(item['used']),
  revokedAt: item['revoked'] === undefined ? null : Number(item['revoked']),
});

const note = async (table: Table, key: Key, now: number): Promise<void> => {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: key,
        UpdateExpression: 'SET used = :now',
        // A key that is revoked at this moment must not come back as a bare item.
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':now': now },
      }),
    );
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
};

export const openApiKeys = (table: Table): ApiKeys => ({
  byHash: async (hash) => {
    const item = await getItem(table, keys.apiKeyByHash(hash), { strong: true });
    return item && { wallet: item['w'] as Wallet, id: String(item['id']), hash, lastUsedAt: Number(item['used'] ?? 0) };
  },
  list: async (wallet) => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': accountPartition(wallet), ':prefix': prefixes.apiKeys },
      ConsistentRead: true,
      ScanIndexForward: false,
    });
    return items.map((item) => readApiKey(wallet, item));
  },
  touch: async (use, now) => {
    if (now - use.lastUsedAt < TOUCH_SECONDS) return;
    await note(table, keys.apiKeyByHash(use.hash), now);
    await note(table, keys.apiKey(use.wallet, use.id), now);
  },
});
