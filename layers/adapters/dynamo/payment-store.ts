// Redeemed transactions: one item for each hash, whatever it bought.
import type { PaymentChainId, PaymentProduct, RedeemedPayment, RedeemedPayments, TransactionHash } from '#domain/ports/payments.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { dueShard, keys } from './keys.ts';
import { DUE_SHARDS, TABLE_SCHEMA } from './table-schema.ts';
import { getItem, type Item, query, type Table } from './table.ts';

const { dueIndex } = TABLE_SCHEMA;
const VERSION = 1;

const shardOf = (hash: string): number => hash.charCodeAt(hash.length - 1) % DUE_SHARDS;

/** The attributes under which the due index finds a payment; none when it is never looked at again. */
export const paymentDue = ({ hash, dueAt }: RedeemedPayment): Item =>
  dueAt === undefined ? {} : { dueS: dueShard('payment', shardOf(hash)), dueA: dueAt };

export const paymentItem = (payment: RedeemedPayment): Item => ({
  ...keys.payment(payment.hash),
  type: 'payment',
  version: VERSION,
  st: 'redeemed',
  w: payment.wallet,
  pr: payment.product,
  ch: payment.chainId,
  bn: payment.blockNumber,
  bh: payment.blockHash,
  cu: payment.currency,
  to: payment.to,
  // As text: wei are larger than the numbers that JSON tools read exactly.
  am: payment.amount.toString(),
  cr: payment.credits,
  at: payment.attn,
  on: payment.at,
  ck: payment.checks,
  ...paymentDue(payment),
});

const readPayment = (item: Item): RedeemedPayment => ({
  hash: String(item['PK']).slice(2) as TransactionHash,
  wallet: item['w'] as Wallet,
  product: item['pr'] as PaymentProduct,
  chainId: Number(item['ch']) as PaymentChainId,
  blockNumber: BigInt(Number(item['bn'])),
  blockHash: String(item['bh']),
  currency: item['cu'] as 'ETH' | 'USDC',
  to: item['to'] as Wallet,
  amount: BigInt(String(item['am'])),
  credits: BigInt(Number(item['cr'])),
  attn: BigInt(Number(item['at'])),
  at: Number(item['on']),
  checks: Number(item['ck']),
  dueAt: item['dueA'] === undefined ? undefined : Number(item['dueA']),
});

const dueInShard = async (table: Table, shard: number, now: number, limit: number): Promise<RedeemedPayment[]> => {
  const page = await query(table, {
    IndexName: dueIndex.name,
    KeyConditionExpression: '#s = :s AND #a <= :now',
    ExpressionAttributeNames: { '#s': dueIndex.partitionKey, '#a': dueIndex.sortKey },
    ExpressionAttributeValues: { ':s': dueShard('payment', shard), ':now': now },
    Limit: limit,
  });
  return page.items.map(readPayment);
};

export const openRedeemedPayments = (table: Table): RedeemedPayments => ({
  isRedeemed: async (hash) => (await getItem(table, keys.payment(hash), { strong: true }))?.['st'] === 'redeemed',
  due: async (now, limit) => {
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => dueInShard(table, shard, now, limit));
    return (await Promise.all(shards)).flat();
  },
});
