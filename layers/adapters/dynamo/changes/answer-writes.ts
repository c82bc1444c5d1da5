// Writes that mark a received mail answered, and that show or end the bond on it.
import { fail, notFound } from '#domain/errors.ts';
import type { Change } from '#domain/ports/changes.ts';
import { bondedKey, keys } from '../keys.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const MOVED_ON = fail('try_again', { retryAfterSeconds: 1 });
const GONE = notFound('Email');

/** Shows an imported bond on its row, which must not show one yet. */
export const mailBondWrite = (TableName: string, { row, bond }: Of<'mail.bond'>): Write => {
  const isActive = bond.status === 'active';
  return {
    action: {
      Update: {
        TableName,
        Key: keys.mail(row.owner, row.id),
        UpdateExpression: `SET bA = :bA, bS = :bS, bD = :bD${isActive ? ', bnd = :bnd' : ''}`,
        ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(bS)',
        ExpressionAttributeValues: {
          ':bA': bond.amountMicros,
          ':bS': bond.status,
          ':bD': bond.deadline,
          ...(isActive && { ':bnd': bondedKey(bond.deadline, row.id) }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refused: (item) => (item ? MOVED_ON : GONE),
  };
};

/** Two answers at once would both count as the first: the second finds the mark and looks again. */
export const answerWrite = (TableName: string, { row, isAnswered, bondStatus }: Of<'mail.answer'>): Write => {
  const sets = [isAnswered ? 'an = :one' : '', bondStatus ? 'bS = :is' : ''].filter((part) => part !== '');
  const conditions = [
    'attribute_exists(PK)',
    row.isAnswered ? 'an = :one' : 'attribute_not_exists(an)',
    row.bond ? 'bS = :bond' : 'attribute_not_exists(bS)',
  ];
  const usesOne = isAnswered || row.isAnswered === true;
  return {
    action: {
      Update: {
        TableName,
        Key: keys.mail(row.owner, row.id),
        UpdateExpression: `SET ${sets.join(', ')}${bondStatus ? ' REMOVE bnd' : ''}`,
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeValues: {
          ...(usesOne && { ':one': 1 }),
          ...(row.bond && { ':bond': row.bond.status }),
          ...(bondStatus && { ':is': bondStatus }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refused: (item) => (item ? MOVED_ON : GONE),
  };
};
