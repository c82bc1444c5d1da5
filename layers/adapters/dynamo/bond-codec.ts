// Bond items ⇄ bonds. A bond stands twice: under its recipient, where it is due, and under its sender, for lists and scores.
import { invariant } from '#domain/errors.ts';
import type { Bond } from '#domain/attention/bonds.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { dueShard, keys } from './keys.ts';
import { DUE_SHARDS } from './table-schema.ts';
import type { Item } from './table.ts';

const VERSION = 1;

const shardOf = (id: string): number => id.charCodeAt(id.length - 1) % DUE_SHARDS;

const shared = (bond: Bond): Item => ({
  type: 'bond',
  version: VERSION,
  bA: bond.amountMicros,
  bS: bond.status,
  bD: bond.deadline,
  at: bond.createdAt,
  ...(bond.endedAt !== undefined && { en: bond.endedAt }),
});

/** The recipient's item; only this one is on the due index. */
export const receivedBondItem = (bond: Bond): Item => ({
  ...keys.bond(bond.recipient, bond.emailId),
  ...shared(bond),
  dir: 'in',
  pw: bond.sender,
  ...(bond.status === 'active' && { dueS: dueShard('bond', shardOf(bond.emailId)), dueA: bond.deadline }),
});

export const sentBondItem = (bond: Bond): Item => ({
  ...keys.bond(bond.sender, bond.emailId),
  ...shared(bond),
  dir: 'out',
  pw: bond.recipient,
});

/** Reads either item; refuses a version that this code does not know. */
export const readBond = (item: Item): Bond => {
  invariant(item['type'] === 'bond' && item['version'] === VERSION, `bond item version ${String(item['version'])}`);
  const owner = String(item['PK']).slice(2) as Wallet;
  const other = item['pw'] as Wallet;
  const [recipient, sender] = item['dir'] === 'in' ? [owner, other] : [other, owner];
  return {
    emailId: String(item['SK']).slice(2),
    recipient,
    sender,
    amountMicros: BigInt(item['bA'] as number),
    status: item['bS'] as Bond['status'],
    deadline: Number(item['bD']),
    createdAt: Number(item['at']),
    ...(item['en'] !== undefined && { endedAt: Number(item['en']) }),
  };
};
