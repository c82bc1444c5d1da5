// Used payments and the calls that are owed for them. Both are written in one transaction, before the payment is sent.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { fail } from '#domain/errors.ts';
import type { EntitlementKey } from '#domain/ports/changes/payments.ts';
import type { Entitlement, PaidCallStore, UsedCredential } from '#domain/ports/pay-per-call.ts';
import { SECONDS_PER_DAY } from '#domain/values/time.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { accountPartition, keys, prefixes } from './keys.ts';
import { getItem, type Item, queryAll, type Table } from './table.ts';
import { transact, type Write } from './transact.ts';

const VERSION = 1;
/** Far longer than a challenge lives, so that a call can be resumed with its own credential. */
const KEPT_SECONDS = 90 * SECONDS_PER_DAY;

const readUsed = (item: Item): UsedCredential => ({
  challengeId: String(item['ch']),
  entitlement: { wallet: item['w'] as Wallet, scope: String(item['sc']), id: String(item['en']) },
});

const readEntitlement = (item: Item): Entitlement => ({
  wallet: item['w'] as Wallet,
  scope: String(item['sc']),
  id: String(item['en']),
  reference: String(item['tx']),
  at: Number(item['at']),
});

const keyFields = ({ wallet, scope, id }: EntitlementKey): Item => ({ w: wallet, sc: scope, en: id });

interface Claim {
  readonly hash: string;
  readonly use: UsedCredential;
  readonly now: number;
  readonly expiresAt: number;
}

const claimWrites = (TableName: string, { hash, use, now, expiresAt }: Claim): Write[] => {
  const { entitlement, challengeId } = use;
  const shared = { version: VERSION, ...keyFields(entitlement), ttl: now + KEPT_SECONDS };
  return [
    {
      action: {
        Put: {
          TableName,
          Item: {
            ...keys.usedCredential(hash),
            type: 'used-credential',
            ...shared,
            ch: challengeId,
            expires: Math.max(expiresAt, now + KEPT_SECONDS),
          },
          ConditionExpression: 'attribute_not_exists(PK) OR expires <= :now',
          ExpressionAttributeValues: { ':now': now },
        },
      },
      refused: () => fail('payment_required'),
    },
    // Not conditional: the second hash of one payment (its canonical form) replaces the first as its reference.
    {
      action: { Put: { TableName, Item: { ...keys.entitlement(entitlement), type: 'paid-call', ...shared, tx: hash, at: now } } },
      refused: () => fail('try_again'),
    },
  ];
};

export const openPaidCalls = (table: Table): PaidCallStore => ({
  findUsed: async (hash) => {
    const item = await getItem(table, keys.usedCredential(hash), { strong: true });
    return item && readUsed(item);
  },
  find: async (key) => {
    const item = await getItem(table, keys.entitlement(key), { strong: true });
    return item && readEntitlement(item);
  },
  owed: async (wallet, scope) => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': accountPartition(wallet), ':prefix': prefixes.entitlements(scope) },
      ConsistentRead: true,
    });
    return items.map(readEntitlement).sort((a, b) => a.at - b.at);
  },
  claim: async (claim) => (await transact(table, claimWrites(table.name, claim))).ok,
  release: async (hash, key) => {
    for (const Key of [keys.entitlement(key), keys.usedCredential(hash)])
      await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
  },
  drop: async (key) => {
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: keys.entitlement(key) }));
  },
});
