// Writes of mail rows, their attachment lists, and the mailboxes of wallets that have no account yet.
import { fail, notFound } from '#domain/errors.ts';
import { isFloating, type MailRow } from '#domain/mail/mail.ts';
import type { Change } from '#domain/ports/changes.ts';
import { keys, orderKey } from '../keys.ts';
import { attachmentsItem, mailItem } from '../mail-codec.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const MOVED_ON = fail('try_again', { retryAfterSeconds: 1 });
const GONE = notFound('Email');

/** A retry that decided the same row again finds it moved on; the use case reads it afresh and decides anew. */
const refusedRow = (item: unknown) => (item ? MOVED_ON : GONE);

export const putWrites = (TableName: string, { row, attachments }: Of<'mail.put'>): Write[] => {
  const put: Write = {
    action: { Put: { TableName, Item: { ...mailItem(row) }, ConditionExpression: 'attribute_not_exists(PK)' } },
    refused: () => MOVED_ON,
  };
  if (attachments.length === 0) return [put];
  return [put, { action: { Put: { TableName, Item: { ...attachmentsItem(row, attachments) } } }, refused: () => MOVED_ON }];
};

/** Nothing may have happened to the row since it was read: neither reading nor the end of its stake or bond. */
const unchanged = (row: MailRow): { condition: string; values: Record<string, unknown> } => {
  const { stake, bond } = row;
  const conditions = ['rd = :rd', stake ? 'sS = :was' : 'attribute_not_exists(sS)', bond ? 'bS = :bond' : 'attribute_not_exists(bS)'];
  const values = { ':rd': row.isRead ? 1 : 0, ...(stake && { ':was': stake.status }), ...(bond && { ':bond': bond.status }) };
  return { condition: conditions.join(' AND '), values };
};

export const readWrite = (TableName: string, { row, stakeStatus }: Of<'mail.read'>): Write => {
  const { condition, values } = unchanged(row);
  const settles = stakeStatus !== undefined;
  return {
    action: {
      Update: {
        TableName,
        Key: keys.mail(row.owner, row.id),
        UpdateExpression: `SET rd = :one${isFloating(row) ? ', ord = :ord' : ''}${settles ? ', sS = :is' : ''} REMOVE unr${settles ? ', dueS, dueA' : ''}`,
        ConditionExpression: condition,
        ExpressionAttributeValues: {
          ...values,
          ':one': 1,
          ...(isFloating(row) && { ':ord': orderKey(row.folder, false, row.id) }),
          ...(settles && { ':is': stakeStatus }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refused: refusedRow,
  };
};

export const settleWrite = (TableName: string, { row, stakeStatus }: Of<'mail.settle'>): Write => {
  const { condition, values } = unchanged(row);
  return {
    action: {
      Update: {
        TableName,
        Key: keys.mail(row.owner, row.id),
        UpdateExpression: 'SET ord = :ord, sS = :is REMOVE dueS, dueA',
        ConditionExpression: condition,
        ExpressionAttributeValues: { ...values, ':ord': orderKey(row.folder, false, row.id), ':is': stakeStatus },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refused: refusedRow,
  };
};

export const deleteWrites = (TableName: string, { row }: Of<'mail.delete'>): Write[] => {
  const { condition, values } = unchanged(row);
  const remove: Write = {
    action: {
      Delete: {
        TableName,
        Key: keys.mail(row.owner, row.id),
        ConditionExpression: condition,
        ExpressionAttributeValues: values,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refused: refusedRow,
  };
  if (row.attachmentCount === 0) return [remove];
  return [remove, { action: { Delete: { TableName, Key: keys.attachments(row.owner, row.id) } }, refused: () => MOVED_ON }];
};

/** Moves `delivery` on from one of the named states; from any other the event is late and changes nothing. */
export const deliveryWrite = (TableName: string, change: Of<'mail.delivery'>): Write => {
  const from = Object.fromEntries(change.from.map((state, index) => [`:f${index}`, state]));
  return {
    action: {
      Update: {
        TableName,
        Key: keys.mail(change.owner, change.id),
        UpdateExpression: `SET dl = :to${change.wireId === undefined ? '' : ', wi = :wi'}`,
        ConditionExpression: `dl IN (${Object.keys(from).join(', ')})`,
        ExpressionAttributeValues: { ...from, ':to': change.to, ...(change.wireId !== undefined && { ':wi': change.wireId }) },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refused: refusedRow,
  };
};

/** Takes the expiry off a pre-stored row; its attachment list expires with it, so that is kept the same way. */
export const keepWrite = (TableName: string, change: Of<'mail.keep'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.mail(change.owner, change.id),
      UpdateExpression: 'REMOVE #ttl',
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
    },
  },
  refused: () => MOVED_ON,
});

export const keepAttachmentsWrite = (TableName: string, change: Of<'mail.keep'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.attachments(change.owner, change.id),
      UpdateExpression: 'REMOVE #ttl',
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
    },
  },
  refused: () => MOVED_ON,
});

/** Counts one more mail for a wallet that must still be without an account. */
export const pendingAddWrites = (TableName: string, change: Of<'pending.add'>): Write[] => [
  {
    action: { ConditionCheck: { TableName, Key: keys.account(change.wallet), ConditionExpression: 'attribute_not_exists(PK)' } },
    refused: () => change.refusal,
  },
  {
    action: {
      Update: {
        TableName,
        Key: keys.pendingMailbox(change.wallet),
        UpdateExpression: 'SET #t = :t ADD version :one',
        ExpressionAttributeNames: { '#t': 'type' },
        ExpressionAttributeValues: { ':t': 'pending', ':one': 1 },
      },
    },
    refused: () => MOVED_ON,
  },
];

/** Takes over a pending mailbox exactly as it was counted; mail that came in between makes the registration look again. */
export const pendingAdoptWrite = (TableName: string, change: Of<'pending.adopt'>): Write => ({
  action: {
    Delete: {
      TableName,
      Key: keys.pendingMailbox(change.wallet),
      ConditionExpression: change.version === 0 ? 'attribute_not_exists(PK)' : 'version = :v',
      ...(change.version > 0 && { ExpressionAttributeValues: { ':v': change.version } }),
    },
  },
  refused: () => MOVED_ON,
});
