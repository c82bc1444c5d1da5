// Idempotency records. A claim is a lease: whoever dies with it is followed after a minute by the next request, and a
// late commit of the dead one is refused by its token.
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createHash, randomUUID } from 'node:crypto';
import type { ClaimToken } from '#domain/ports/changes.ts';
import type { ClaimResult, Idempotency, Sealer, StoredReply } from '#domain/ports/idempotency.ts';
import { keys } from './keys.ts';
import { getItem, type Item, type Table } from './table.ts';

const KEPT_SECONDS = 24 * 3600;
/** Longer than any request runs (API Gateway gives up after 30 s). */
const LEASE_SECONDS = 60;
const VERSION = 1;

interface ClaimRequest {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly now: number;
}

const isRefused = (error: unknown): boolean => error instanceof Error && error.name === 'ConditionalCheckFailedException';

const storedReply = async (item: Item, sealer: Sealer): Promise<StoredReply> => {
  const body = item['sealed'] === true ? (JSON.parse(await sealer.open(String(item['body']))) as unknown) : item['body'];
  return { status: Number(item['sc']), body };
};

const readExisting = async (item: Item, request: ClaimRequest, sealer: Sealer): Promise<ClaimResult> => {
  if (item['fp'] !== request.fingerprint) return { result: 'mismatch' };
  if (item['st'] === 'running') return { result: 'running' };
  return { result: 'replay', reply: await storedReply(item, sealer) };
};

const claim = async (table: Table, sealer: Sealer, request: ClaimRequest): Promise<ClaimResult> => {
  const recordKey = createHash('sha256').update(`${request.scope}\n${request.key}`).digest('hex');
  const token = randomUUID();
  const { now, fingerprint } = request;
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: {
          ...keys.idempotency(recordKey),
          type: 'idempotency',
          version: VERSION,
          st: 'running',
          fp: fingerprint,
          tok: token,
          lease: now + LEASE_SECONDS,
          expires: now + KEPT_SECONDS,
          ttl: now + KEPT_SECONDS,
        },
        ConditionExpression: 'attribute_not_exists(PK) OR expires <= :now OR (st = :running AND lease <= :now)',
        ExpressionAttributeValues: { ':now': now, ':running': 'running' },
      }),
    );
    return { result: 'claimed', claim: { key: recordKey, token } };
  } catch (error) {
    if (!isRefused(error)) throw error;
    const item = await getItem(table, keys.idempotency(recordKey), { strong: true });
    // Released in between: the caller may simply send the request again.
    return item ? readExisting(item, request, sealer) : { result: 'running' };
  }
};

const finish = async (table: Table, { key, token }: ClaimToken, status: number, body: unknown, sealed: boolean): Promise<void> => {
  // Once the effect is there, a failure can only mean that its answer was lost: the reply that was committed with it stays.
  const isFailure = status >= 400;
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.idempotency(key),
        UpdateExpression: 'SET st = :done, sc = :status, body = :body, sealed = :sealed',
        ConditionExpression: isFailure ? 'tok = :tok AND st = :running' : 'tok = :tok',
        ExpressionAttributeValues: {
          ...{ ':done': 'done', ':status': status, ':body': body, ':sealed': sealed, ':tok': token },
          ...(isFailure && { ':running': 'running' }),
        },
      }),
    );
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
};

const release = async (table: Table, { key, token }: ClaimToken): Promise<void> => {
  try {
    await table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: keys.idempotency(key),
        // A reply that was committed with its effect is never forgotten, whatever the request answered after it.
        ConditionExpression: 'tok = :tok AND st = :running',
        ExpressionAttributeValues: { ':tok': token, ':running': 'running' },
      }),
    );
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
};

export const openIdempotency = (table: Table, sealer: Sealer): Idempotency => ({
  claim: (request) => claim(table, sealer, request),
  finish: async (token, reply, sealed) =>
    finish(table, token, reply.status, sealed ? await sealer.seal(JSON.stringify(reply.body)) : reply.body, sealed),
  release: (token) => release(table, token),
});
