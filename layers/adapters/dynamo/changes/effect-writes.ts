// Writes that go along with others: ledger rows, the outbox, remembered messages, and stored replies.
import { fail } from '#domain/errors.ts';
import { type LedgerRow, rowsOf } from '#domain/ledger/movements.ts';
import type { Change } from '#domain/ports/changes.ts';
import { dueShard, keys } from '../keys.ts';
import { DUE_SHARDS } from '../table-schema.ts';
import type { Item } from '../table.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const VERSION = 1;
const REPEATED = fail('try_again', { retryAfterSeconds: 1 });

const ledgerItem = (row: LedgerRow): Item => ({
  ...keys.ledgerRow(row.wallet, row.asset, row.id),
  type: 'ledger',
  version: VERSION,
  mt: row.type,
  am: row.amount,
  ca: row.counterAccount,
  at: row.at,
  ...(row.reference.emailId !== undefined && { em: row.reference.emailId }),
  ...(row.reference.txHash !== undefined && { tx: row.reference.txHash }),
  ...(row.reference.chain !== undefined && { ch: row.reference.chain }),
  ...(row.reference.note !== undefined && { no: row.reference.note }),
});

/** Rows are only ever added; a movement that is written twice is refused and takes its whole transaction with it. */
export const movementWrites = (TableName: string, { movement }: Of<'movement'>): Write[] =>
  rowsOf(movement).map((row) => ({
    action: { Put: { TableName, Item: { ...ledgerItem(row) }, ConditionExpression: 'attribute_not_exists(PK)' } },
    refused: () => REPEATED,
  }));

const shardOf = (id: string): number => id.charCodeAt(id.length - 1) % DUE_SHARDS;

export const outboxPutWrite = (TableName: string, { entry }: Of<'outbox.put'>): Write => ({
  action: {
    Put: {
      TableName,
      Item: {
        ...keys.outboxEntry(entry.wallet, entry.emailId),
        type: 'outbox',
        version: VERSION,
        to: entry.to,
        at: entry.createdAt,
        dueS: dueShard('outbox', shardOf(entry.emailId)),
        dueA: entry.dueAt,
      },
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  },
  refused: () => REPEATED,
});

/** Whoever deletes the entry settles the message: exactly one of acceptance, refusal, event and sweep. */
export const outboxSettleWrite = (TableName: string, change: Of<'outbox.settle'>): Write => ({
  action: {
    Delete: { TableName, Key: keys.outboxEntry(change.wallet, change.emailId), ConditionExpression: 'attribute_exists(PK)' },
  },
  refused: () => fail('not_found', { resource: 'Outbox entry' }),
});

const seenItem = ({ key, expiresAt }: Of<'inbound.seen'>): Item => ({
  ...keys.inboundSeen(key),
  type: 'seen',
  version: VERSION,
  expires: expiresAt,
  ttl: expiresAt,
});

/** Without an end: the provider may report a message again whenever it likes. */
export const refundMarkWrite = (TableName: string, { wallet, emailId }: Of<'refund.mark'>): Write => ({
  action: {
    Put: {
      TableName,
      Item: { ...keys.refund(wallet, emailId), type: 'refund', version: VERSION },
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  },
  refused: () => fail('already_claimed'),
});

export const seenWrite = (TableName: string, change: Of<'inbound.seen'>): Write => ({
  action: {
    Put: {
      TableName,
      Item: { ...seenItem(change), ...(change.by !== undefined && { by: change.by }) },
      // Time-to-live deletes late; a mark that ran out counts as gone.
      ConditionExpression: `attribute_not_exists(PK) OR expires <= :now${change.by === undefined ? '' : ' OR #by = :by'}`,
      ExpressionAttributeValues: { ':now': change.now, ...(change.by !== undefined && { ':by': change.by }) },
      ...(change.by !== undefined && { ExpressionAttributeNames: { '#by': 'by' } }),
    },
  },
  refused: () => fail('already_claimed'),
});

export const forgetWrite = (TableName: string, change: Of<'inbound.forget'>): Write => ({
  action: { Delete: { TableName, Key: keys.inboundSeen(change.key) } },
  refused: () => REPEATED,
});

const ownClaim = 'tok = :tok';

/** Refused when the claim ran out and another request took the key over: only one of the two may have the effect. */
export const claimCommitWrite = (TableName: string, { claim, status, body, isSealed }: Of<'claim.commit'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.idempotency(claim.key),
      UpdateExpression: 'SET st = :st, sc = :sc, body = :body, sealed = :sealed',
      ConditionExpression: ownClaim,
      ExpressionAttributeValues: { ':tok': claim.token, ':st': 'committed', ':sc': status, ':body': body, ':sealed': isSealed },
    },
  },
  refused: () => fail('idempotency_in_progress'),
});

export const claimDropWrite = (TableName: string, { claim }: Of<'claim.drop'>): Write => ({
  action: {
    Delete: {
      TableName,
      Key: keys.idempotency(claim.key),
      ConditionExpression: `attribute_not_exists(PK) OR ${ownClaim}`,
      ExpressionAttributeValues: { ':tok': claim.token },
    },
  },
  refused: () => fail('idempotency_in_progress'),
});
