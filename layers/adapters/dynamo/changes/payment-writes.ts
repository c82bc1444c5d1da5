// Writes of payments: redeemed hashes, the one Pro purchase of an account, and paid calls.
import { fail } from '#domain/errors.ts';
import type { Change } from '#domain/ports/changes.ts';
import { keys } from '../keys.ts';
import { paymentDue, paymentItem } from '../payment-store.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const REDEEMED = fail('already_redeemed');
const RACED = fail('try_again', { retryAfterSeconds: 1 });
const SPENT = fail('payment_required', { message: 'This payment has already been used' });

/** The hash is the key, without its chain: the same transaction can stand on two chains. */
export const paymentRedeemWrites = (TableName: string, { payment }: Of<'payment.redeem'>): Write[] => {
  const redeem: Write = {
    action: {
      Put: {
        TableName,
        Item: { ...paymentItem(payment) },
        ConditionExpression: 'attribute_not_exists(PK) OR st = :revoked',
        ExpressionAttributeValues: { ':revoked': 'revoked' },
      },
    },
    refused: () => REDEEMED,
  };
  if (payment.product !== 'pro') return [redeem];
  // Two payments at once would both find a free account, and the second would buy nothing.
  const once: Write = {
    action: {
      Put: {
        TableName,
        Item: { ...keys.proPurchase(payment.wallet), type: 'pro', version: 1, tx: payment.hash },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    },
    refused: () => fail('already_pro'),
  };
  return [redeem, once];
};

const unchanged = 'st = :redeemed AND bh = :was AND ck = :ck';

export const paymentCheckWrite = (TableName: string, { payment, before }: Of<'payment.check'>): Write => {
  const due = paymentDue(payment);
  const hasDue = payment.dueAt !== undefined;
  return {
    action: {
      Update: {
        TableName,
        Key: keys.payment(payment.hash),
        UpdateExpression: `SET bn = :bn, bh = :bh, ck = :next${hasDue ? ', dueS = :s, dueA = :a' : ' REMOVE dueS, dueA'}`,
        ConditionExpression: unchanged,
        ExpressionAttributeValues: {
          ':redeemed': 'redeemed',
          ':was': before.blockHash,
          ':ck': before.checks,
          ':bn': payment.blockNumber,
          ':bh': payment.blockHash,
          ':next': payment.checks,
          ...(hasDue && { ':s': due['dueS'], ':a': due['dueA'] }),
        },
      },
    },
    refused: () => fail('already_redeemed'),
  };
};

export const paymentRevokeWrites = (TableName: string, { payment, at }: Of<'payment.revoke'>): Write[] => {
  const revoke: Write = {
    action: {
      Update: {
        TableName,
        Key: keys.payment(payment.hash),
        UpdateExpression: 'SET st = :revoked, ro = :at REMOVE dueS, dueA',
        ConditionExpression: unchanged,
        ExpressionAttributeValues: {
          ':redeemed': 'redeemed',
          ':revoked': 'revoked',
          ':was': payment.blockHash,
          ':ck': payment.checks,
          ':at': at,
        },
      },
    },
    // Someone else decided about it meanwhile.
    refused: () => REDEEMED,
  };
  if (payment.product !== 'pro') return [revoke];
  return [revoke, { action: { Delete: { TableName, Key: keys.proPurchase(payment.wallet) } }, refused: () => RACED }];
};

/** Deleting it makes a second spending find nothing: one paid call, one effect. */
export const entitlementSpendWrite = (TableName: string, { entitlement }: Of<'entitlement.spend'>): Write => ({
  action: { Delete: { TableName, Key: keys.entitlement(entitlement), ConditionExpression: 'attribute_exists(PK)' } },
  refused: () => SPENT,
});
