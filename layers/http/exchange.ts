// One request under way: what the middlewares find out about it, in the order in which they run.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RouteRow } from '#contract/define-route.ts';
import { invariant } from '#domain/errors.ts';
import type { Account } from '#domain/identity/account.ts';
import type { ClaimToken } from '#domain/ports/changes.ts';
import type { StoredReply } from '#domain/ports/idempotency.ts';
import type { Charged, PaidCall } from '#domain/ports/pay-per-call.ts';
import type { LimitState } from '#domain/ports/stores.ts';
import type { Wallet } from '#domain/values/wallet.ts';

export interface Exchange {
  readonly requestId: string;
  readonly row: RouteRow;
  /** Unix seconds at which the request came; one moment for everything it does. */
  readonly now: number;
  readonly baseUrl: string;
  readonly sourceIp: string;
  wallet?: Wallet;
  account?: Account;
  input?: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
  claim?: ClaimToken;
  /** Set when the call came with a Payment credential instead of a Bearer. */
  payment?: PaidCall;
  /** The charge under way, and what it came to. */
  charging?: Promise<Charged>;
  charged?: Charged;
  /** Answers instead of the handler. */
  replay?: StoredReply;
  readonly limits: LimitState[];
}

// Keyed by the event, because the handler inside the stack is given the event and nothing of the middlewares.
const exchanges = new WeakMap<object, Exchange>();

export const openExchange = (event: APIGatewayProxyEventV2, exchange: Exchange): void => {
  exchanges.set(event, exchange);
};

export const exchangeOf = (event: APIGatewayProxyEventV2): Exchange => {
  const exchange = exchanges.get(event);
  invariant(exchange, 'an event without an exchange');
  return exchange;
};

/** The exchange when there is one: an error may come before it was opened. */
export const findExchange = (event: APIGatewayProxyEventV2): Exchange | undefined => exchanges.get(event);
