// Writes of handles, nonces, refresh tokens and API keys: everything that lets someone in.
import { fail, type Failure } from '#domain/errors.ts';
import { heldByAnother } from '#domain/identity/handle-conflicts.ts';
import type { ApiKey, Change } from '#domain/ports/changes.ts';
import { SECONDS_PER_DAY } from '#domain/values/time.ts';
import { type Key, keys } from '../keys.ts';
import type { Item } from '../table.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const VERSION = 1;
const REPEATED = fail('try_again', { retryAfterSeconds: 1 });
const NONCE_EXPIRED = fail('nonce_expired');
const REFRESH_INVALID = fail('refresh_token_invalid');

const put = (TableName: string, Item: Item, refusal: Failure = REPEATED): Write => ({
  action: { Put: { TableName, Item: { ...Item }, ConditionExpression: 'attribute_not_exists(PK)' } },
  refused: () => refusal,
});

/** A name points to one wallet for good: the second claim of it is refused. An alias also stands in its account's list. */
export const handleClaimWrites = (TableName: string, { handle, wallet, role, at }: Of<'handle.claim'>): Write[] => {
  const taken = heldByAnother(handle);
  const pointer = put(TableName, { ...keys.handle(handle), type: 'handle', version: VERSION, w: wallet, role, at }, taken);
  if (role === 'handle') return [pointer];
  return [pointer, put(TableName, { ...keys.alias(wallet, handle), type: 'alias', version: VERSION, at }, taken)];
};

/** Holds a look-up true until the commit: mail to an alias that was deleted a moment ago is not delivered by it. */
export const handleHeldWrite = (TableName: string, change: Of<'handle.held'>): Write => ({
  action: {
    ConditionCheck: {
      TableName,
      Key: keys.handle(change.handle),
      ConditionExpression: 'w = :w',
      ExpressionAttributeValues: { ':w': change.wallet },
    },
  },
  refused: () => change.refusal,
});

const consume = (TableName: string, key: Key, now: number, refusal: ReturnType<typeof fail>): Write => ({
  action: {
    Delete: {
      TableName,
      Key: key,
      // Time-to-live deletes late, so the time is compared here; deleting makes a second use find nothing.
      ConditionExpression: 'expires > :now',
      ExpressionAttributeValues: { ':now': now },
    },
  },
  refused: () => refusal,
});

export const nonceConsumeWrite = (TableName: string, change: Of<'nonce.consume'>): Write =>
  consume(TableName, keys.nonce(change.nonce), change.now, NONCE_EXPIRED);

export const refreshConsumeWrite = (TableName: string, change: Of<'refresh.consume'>): Write =>
  consume(TableName, keys.refreshToken(change.hash), change.now, REFRESH_INVALID);

export const refreshPutWrite = (TableName: string, change: Of<'refresh.put'>): Write =>
  put(TableName, {
    ...keys.refreshToken(change.hash),
    type: 'refresh',
    version: VERSION,
    w: change.wallet,
    expires: change.expiresAt,
    ttl: change.expiresAt,
  });

const apiKeyItem = (key: ApiKey): Item => ({
  ...keys.apiKey(key.wallet, key.id),
  type: 'key',
  version: VERSION,
  name: key.name,
  prefix: key.prefix,
  hash: key.hash,
  at: key.createdAt,
});

export const keyPutWrites = (TableName: string, { key }: Of<'key.put'>): Write[] => [
  put(TableName, apiKeyItem(key)),
  put(TableName, { ...keys.apiKeyByHash(key.hash), type: 'key-hash', version: VERSION, w: key.wallet, id: key.id }),
];

/** Revoked keys are shown for 90 days. */
const REVOKED_SHOWN_SECONDS = 90 * SECONDS_PER_DAY;

/** The row stays in the list as revoked for a while, so that lists stay short; the look-up by hash goes, so that the next request with the key is refused. */
export const keyRevokeWrites = (TableName: string, { key, at }: Of<'key.revoke'>): Write[] => [
  {
    action: {
      Update: {
        TableName,
        Key: keys.apiKey(key.wallet, key.id),
        UpdateExpression: 'SET revoked = :at, #ttl = :ttl',
        ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(revoked)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':at': at, ':ttl': at + REVOKED_SHOWN_SECONDS },
      },
    },
    refused: () => REPEATED,
  },
  { action: { Delete: { TableName, Key: keys.apiKeyByHash(key.hash) } }, refused: () => fail('try_again') },
];
