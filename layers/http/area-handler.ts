// The one HTTP stack: an area's rows and use cases become its Lambda handler.
// Order: exchange (finds the row, opens the request) → errors (renders whatever the rest throws) → payment (puts the
// challenge on refusals before they are rendered) → authentication (before
// anything of the request is believed) → validation → idempotency (on the parsed request, so that spelling does not
// matter) → handler. On the way out the order is reversed, and the exchange puts the headers on last.
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { RouteBody, RouteInput, RouteRow } from '#contract/define-route.ts';
import { FailureError, InfrastructureError, invariant } from '#domain/errors.ts';
import type { Account } from '#domain/identity/account.ts';
import type { Change } from '#domain/ports/changes.ts';
import type { Gate } from '#domain/ports/gate.ts';
import type { Charged } from '#domain/ports/pay-per-call.ts';
import type { LimitState } from '#domain/ports/stores.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { systemClock } from '#runtime/clock.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { authenticateMiddleware } from './middleware/authenticate.ts';
import { idempotencyMiddleware } from './middleware/idempotency.ts';
import { openExchangeMiddleware } from './middleware/open-exchange.ts';
import { chargeCall, paymentMiddleware } from './middleware/pay.ts';
import { renderErrorsMiddleware } from './middleware/render-errors.ts';
import { validateMiddleware } from './middleware/validate.ts';
import type { HandlerResult } from './reply.ts';
import { toResult } from './to-result.ts';

/** What a handler knows of its request besides the input. */
export interface RequestContext<R extends RouteRow> {
  readonly requestId: string;
  readonly now: number;
  readonly baseUrl: string;
  readonly sourceIp: string;
  readonly wallet: R['access'] extends 'public' ? undefined : Wallet;
  /** A payer may have none yet. */
  readonly account: R['access'] extends 'account' ? (R extends { payment: object } ? Account | undefined : Account) : Account | undefined;
  /** Shows limits in the reply's headers, whatever the outcome. */
  readonly showLimits: (...states: LimitState[]) => void;
  /**
   * Charges a call that is paid for, once, after everything that can refuse it; absent when it came with a Bearer. What
   * was paid is spent by the changes of `commitReply`, so every paid call has to commit those. Throws the refusal.
   */
  readonly charge: (() => Promise<Charged>) | undefined;
  /** What belongs into the effect's transaction: the stored reply when there is an Idempotency-Key, and what a paid call spends. */
  readonly commitReply: (status: number, body: RouteBody<R>) => Promise<Change[]>;
  /** The change that frees the key again, when an effect is taken back. */
  readonly dropReply: () => Change[];
}

export type RowHandler<R extends RouteRow> = (input: RouteInput<R>, context: RequestContext<R>) => Promise<HandlerResult<RouteBody<R>>>;

/** A handler for every row of the area that is not planned: leaving one out does not compile. */
export type AreaHandlers<Rows extends Readonly<Record<string, RouteRow>>> = {
  readonly [K in keyof Rows as Rows[K] extends { planned: true } ? never : K]: RowHandler<Rows[K]>;
};

export interface AreaOptions {
  readonly gate: Gate;
  readonly baseUrl: string;
  readonly sunsetDate: string;
}

/** Before Lambda ends a request without a word, its caller gets a reply with a code and a request id. */
const LAST_WORDS_MS = 1000;

export type HttpHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

const sealedBody = async (gate: Gate, exchange: Exchange, body: unknown): Promise<unknown> =>
  exchange.row.secretReply ? gate.sealer.seal(JSON.stringify(body)) : body;

const contextOf = (gate: Gate, exchange: Exchange): RequestContext<RouteRow> => ({
  requestId: exchange.requestId,
  now: exchange.now,
  baseUrl: exchange.baseUrl,
  sourceIp: exchange.sourceIp,
  wallet: exchange.wallet as Wallet,
  account: exchange.account,
  showLimits: (...states) => exchange.limits.push(...states),
  charge: exchange.payment && (async () => (await chargeCall(exchange)) as Charged),
  commitReply: async (status, body) => {
    const { claim, row } = exchange;
    const spending = (await chargeCall(exchange))?.changes ?? [];
    if (!claim) return [...spending];
    return [
      ...spending,
      { kind: 'claim.commit', claim, status, body: await sealedBody(gate, exchange, body), isSealed: row.secretReply === true },
    ];
  },
  dropReply: () => (exchange.claim ? [{ kind: 'claim.drop', claim: exchange.claim }] : []),
});

type AnyHandler = RowHandler<RouteRow>;

const runHandler = (gate: Gate, handlers: Readonly<Record<string, AnyHandler>>) => async (event: APIGatewayProxyEventV2) => {
  const exchange = exchangeOf(event);
  // Here and not by an early end of the stack, which would leave out the headers.
  if (exchange.replay) return toResult({ ...exchange.replay, headers: { 'idempotent-replayed': 'true' } });
  const handler = handlers[exchange.row.operationId];
  invariant(handler, `no handler for ${exchange.row.operationId}`);
  const result = await handler(exchange.input as RouteInput<RouteRow>, contextOf(gate, exchange));
  if (!result.ok) throw new FailureError(result);
  invariant(!exchange.payment || exchange.charged, `${exchange.row.operationId} did its work without its payment`);
  return toResult(result.value);
};

/** Builds the Lambda handler of one area. */
export const areaHandler = <Rows extends Readonly<Record<string, RouteRow>>>(
  rows: Rows,
  options: AreaOptions,
  handlers: AreaHandlers<Rows>,
): HttpHandler => {
  const byKey = new Map(Object.values(rows).map((row) => [`${row.method} ${row.path}`, row]));
  const { gate, baseUrl, sunsetDate } = options;
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>({
    timeoutEarlyInMillis: LAST_WORDS_MS,
    timeoutEarlyResponse: () => {
      throw new InfrastructureError('the time of the function is over');
    },
  })
    .use(openExchangeMiddleware({ rows: byKey, clock: systemClock, baseUrl, sunsetDate }))
    .use(renderErrorsMiddleware())
    .use(paymentMiddleware(gate))
    .use(authenticateMiddleware(gate))
    .use(validateMiddleware())
    .use(idempotencyMiddleware(gate))
    .handler(runHandler(gate, handlers as unknown as Readonly<Record<string, AnyHandler>>)) as unknown as HttpHandler;
};
