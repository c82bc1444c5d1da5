// Writes of proofs of human.
import { fail } from '#domain/errors.ts';
import type { Change } from '#domain/ports/changes.ts';
import { keys } from '../keys.ts';
import type { Item } from '../table.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const VERSION = 1;
const RACED = fail('try_again', { retryAfterSeconds: 1 });
const NONCE_USED = fail('proof_invalid', { message: 'The nonce of the proof was used before' });

const putNew = (TableName: string, item: Item, refusal: ReturnType<typeof fail>): Write => ({
  action: { Put: { TableName, Item: { ...item }, ConditionExpression: 'attribute_not_exists(PK)' } },
  refused: () => refusal,
});

/** One human, one account: the nullifier is a key of its own. */
export const humanLinkWrites = (TableName: string, { proof }: Of<'human.link'>): Write[] => {
  const fields = { version: VERSION, w: proof.wallet, nu: proof.nullifier, lv: proof.level, at: proof.verifiedAt };
  return [
    putNew(TableName, { ...keys.humanProof(proof.wallet), type: 'human-proof', ...fields }, RACED),
    putNew(TableName, { ...keys.nullifier(proof.nullifier), type: 'nullifier', ...fields }, fail('proof_linked_elsewhere')),
  ];
};

const removeOwn = (TableName: string, Key: ReturnType<typeof keys.humanProof>, proof: Of<'human.unlink'>['proof']): Write => ({
  action: {
    Delete: {
      TableName,
      Key,
      ConditionExpression: 'w = :w AND nu = :nu',
      ExpressionAttributeValues: { ':w': proof.wallet, ':nu': proof.nullifier },
    },
  },
  refused: () => RACED,
});

export const humanUnlinkWrites = (TableName: string, { proof }: Of<'human.unlink'>): Write[] => [
  removeOwn(TableName, keys.humanProof(proof.wallet), proof),
  removeOwn(TableName, keys.nullifier(proof.nullifier), proof),
];

export const humanNonceWrite = (TableName: string, { nonce, wallet, now }: Of<'human.nonce'>): Write => ({
  action: {
    Delete: {
      TableName,
      Key: keys.worldIdNonce(nonce),
      ConditionExpression: 'w = :w AND expires > :now',
      ExpressionAttributeValues: { ':w': wallet, ':now': now },
    },
  },
  refused: () => NONCE_USED,
});
