// Writes of the mail area beyond its rows: wire ids, suppressed addresses, a sender's standing, uploads, expiry, digests.
import { fail } from '#domain/errors.ts';
import type { Change } from '#domain/ports/changes.ts';
import { dueShard, keys } from '../keys.ts';
import { DUE_SHARDS } from '../table-schema.ts';
import type { Write } from '../transact.ts';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

const VERSION = 1;
const RACED = fail('try_again', { retryAfterSeconds: 1 });

const put = (TableName: string, Item: Record<string, unknown>): Write => ({ action: { Put: { TableName, Item } }, refused: () => RACED });

/** Written by whoever hears the id first, reply or event; both write the same. */
export const wirePutWrite = (TableName: string, change: Of<'wire.put'>): Write =>
  put(TableName, {
    ...keys.wireId(change.wireId),
    type: 'wire',
    version: VERSION,
    w: change.wallet,
    em: change.emailId,
    ttl: change.expiresAt,
  });

export const suppressionPutWrite = (TableName: string, change: Of<'suppression.put'>): Write =>
  put(TableName, {
    ...keys.suppression(change.wallet, change.address),
    type: 'suppression',
    version: VERSION,
    why: change.why,
    at: change.at,
  });

export const standingSentWrite = (TableName: string, change: Of<'standing.sent'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.standing(change.wallet),
      UpdateExpression: 'SET #t = :t ADD n :one',
      ExpressionAttributeNames: { '#t': 'type' },
      ExpressionAttributeValues: { ':t': 'standing', ':one': 1 },
    },
  },
  refused: () => RACED,
});

/** The item is there since the first message left (`standing.sent`). */
export const standingBouncesWrite = (TableName: string, { wallet, before, bouncedAt }: Of<'standing.bounces'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.standing(wallet),
      UpdateExpression: 'SET bs = :bs ADD ver :one',
      ConditionExpression: before.version === 0 ? 'attribute_not_exists(ver)' : 'ver = :ver',
      ExpressionAttributeValues: { ':bs': bouncedAt, ':one': 1, ...(before.version > 0 && { ':ver': before.version }) },
    },
  },
  refused: () => RACED,
});

export const uploadPutWrite = (TableName: string, { upload }: Of<'upload.put'>): Write =>
  put(TableName, {
    ...keys.upload(upload.wallet, upload.id),
    type: 'upload',
    version: VERSION,
    fn: upload.filename,
    ct: upload.contentType,
    sz: upload.sizeBytes,
    ttl: upload.expiresAt,
  });

/** The bytes follow by way of the table's stream. */
export const expireWrites = (TableName: string, { row }: Of<'mail.expire'>): Write[] => {
  const remove = (Key: Record<string, string>): Write => ({ action: { Delete: { TableName, Key } }, refused: () => RACED });
  const mail = remove({ ...keys.mail(row.owner, row.id) });
  return row.attachmentCount === 0 ? [mail] : [mail, remove({ ...keys.attachments(row.owner, row.id) })];
};

const digestShard = (wallet: string): string => dueShard('digest', wallet.charCodeAt(wallet.length - 1) % DUE_SHARDS);

export const digestSetWrite = (TableName: string, change: Of<'digest.set'>): Write => {
  const Key = keys.digest(change.wallet);
  if (change.email === null) return { action: { Delete: { TableName, Key } }, refused: () => RACED };
  return put(TableName, {
    ...Key,
    type: 'digest',
    version: VERSION,
    em: change.email,
    dueS: digestShard(change.wallet),
    dueA: change.dueAt,
  });
};

/** Only one run moves the time on, and only that one writes: the same digest is never sent twice. */
export const digestTakeWrite = (TableName: string, change: Of<'digest.take'>): Write => ({
  action: {
    Update: {
      TableName,
      Key: keys.digest(change.wallet),
      UpdateExpression: 'SET dueA = :next',
      ConditionExpression: 'dueA = :due AND em = :em',
      ExpressionAttributeValues: { ':due': change.dueAt, ':em': change.email, ':next': change.nextAt },
    },
  },
  refused: () => fail('already_claimed'),
});
