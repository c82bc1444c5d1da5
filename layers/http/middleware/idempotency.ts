// Idempotency-Key: claims the key before the use case runs, answers a repeated request with the stored reply, and stores
// or frees the claim on the way out. The effect itself commits the claim in its own transaction.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type ErrorCode, fail, FailureError } from '#domain/errors.ts';
import type { Gate } from '#domain/ports/gate.ts';
import type { ClaimResult } from '#domain/ports/idempotency.ts';
import { sha256Hex } from '#runtime/ids.ts';
import { logFault } from '#runtime/logger.ts';
import { type Exchange, exchangeOf, findExchange } from '../exchange.ts';
import { failureOf, problemReply } from '../problem.ts';
import type { HttpMiddleware } from './open-exchange.ts';

const KEY_CHARACTERS_MAX = 255;

/** The key bare or as a quoted string (the IETF draft); undefined when none was sent. */
const keyOf = (event: APIGatewayProxyEventV2): string | undefined => {
  const header = event.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = header.trim().replace(/^"(.*)"$/, '$1');
  if (key.length >= 1 && key.length <= KEY_CHARACTERS_MAX) return key;
  throw new FailureError(fail('invalid_request', { message: `Idempotency-Key must have 1 to ${KEY_CHARACTERS_MAX} characters` }));
};

/** Sorts object keys at every depth, so that the same request written in another order has the same fingerprint. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, canonical(inner)]));
};

const fingerprintOf = (exchange: Exchange): string => sha256Hex(JSON.stringify(canonical(exchange.input)));

const REFUSALS = { running: 'idempotency_in_progress', mismatch: 'idempotency_key_reused' } as const;

const accept = (result: ClaimResult, exchange: Exchange): void => {
  if (result.result === 'claimed') exchange.claim = result.claim;
  else if (result.result === 'replay') exchange.replay = result.reply;
  else throw new FailureError(fail(REFUSALS[result.result], { retryAfterSeconds: 1 }));
};

/** Payment, rate and server errors are not kept: the same key may try again. */
const isKept = (status: number): boolean => status < 500 && status !== 402 && status !== 429;

/** Refusals that tell the caller to send the same request again once the chain has come further. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['transaction_not_found', 'name_not_owned', 'wave_not_open']);

const settle = async (gate: Gate, exchange: Exchange | undefined, status: number, body: unknown, isFinal = true): Promise<void> => {
  if (!exchange?.claim) return;
  if (isFinal && isKept(status)) await gate.idempotency.finish(exchange.claim, { status, body }, exchange.row.secretReply === true);
  else await gate.idempotency.release(exchange.claim);
};

export const idempotencyMiddleware = (gate: Gate): HttpMiddleware => ({
  before: async ({ event }) => {
    const exchange = exchangeOf(event);
    const key = exchange.row.idempotent ? keyOf(event) : undefined;
    if (key === undefined || !exchange.wallet) return;
    const scope = `${exchange.wallet} ${exchange.row.operationId}`;
    accept(await gate.idempotency.claim({ scope, key, fingerprint: fingerprintOf(exchange), now: exchange.now }), exchange);
  },
  after: async ({ event, response }) => {
    const exchange = findExchange(event);
    if (!exchange?.claim) return;
    const body: unknown = response?.body === undefined ? undefined : JSON.parse(response.body);
    await settle(gate, exchange, response?.statusCode ?? 200, body);
  },
  onError: async ({ event, error }) => {
    const failure = failureOf(error);
    const { status, body } = problemReply(failure, event.requestContext.requestId);
    // The caller gets the failure it met; a claim that cannot be freed now runs out by itself.
    await settle(gate, findExchange(event), status, body, !PASSING.has(failure.code)).catch((fault: unknown) =>
      logFault('a claim could not be settled', fault),
    );
  },
});
