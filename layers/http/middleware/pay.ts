// Calls that are paid for one by one: the credential is judged where a Bearer would be, and every 402 of such an operation
// carries the challenge that would pay for it.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ERROR_TABLE } from '#contract/errors.ts';
import type { RouteRow } from '#contract/define-route.ts';
import { fail, type Failure, FailureError } from '#domain/errors.ts';
import type { Gate } from '#domain/ports/gate.ts';
import type { Charged, Offer, PayPerCall } from '#domain/ports/pay-per-call.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { logFault } from '#runtime/logger.ts';
import { type Exchange, findExchange } from '../exchange.ts';
import { failureOf } from '../problem.ts';
import type { HttpMiddleware } from './open-exchange.ts';

const PAYMENT_SCHEME = /^Payment +[A-Za-z0-9_=-]{1,16384}$/i;

/** What one call of this operation costs; undefined where it cannot be paid for. */
const offerOf = (gate: Gate, row: RouteRow): Offer | undefined =>
  gate.payments && row.payment && { scope: row.operationId, units: BigInt(row.payment.amount), description: row.summary };

/**
 * The wallet that pays for this call; undefined when the call comes with a Bearer or cannot be paid for. No credential at
 * all is a question for the price, and answered before the body is looked at.
 */
export const payingWallet = async (gate: Gate, event: APIGatewayProxyEventV2, exchange: Exchange): Promise<Wallet | undefined> => {
  const offer = offerOf(gate, exchange.row);
  if (!gate.payments || !offer) return undefined;
  const header = event.headers['authorization']?.trim() ?? '';
  if (header === '') throw new FailureError(fail('payment_required'));
  if (!/^Payment\b/i.test(header)) return undefined;
  if (!PAYMENT_SCHEME.test(header)) throw new FailureError(fail('payment_required', { message: 'The Payment credential is malformed' }));
  const opened = await gate.payments.open(header, offer, exchange.now);
  if (!opened.ok) throw new FailureError(opened);
  exchange.payment = opened.value;
  return opened.value.payer;
};

/** Refuses a credential that another request used up while this one was judged. */
export const refuseSpent = async ({ payment }: Exchange): Promise<void> => {
  if (payment && (await payment.isSpent()))
    throw new FailureError(fail('payment_required', { message: 'This payment has already been used' }));
};

/** Takes the money, once however often it is asked for. */
export const chargeCall = async (exchange: Exchange): Promise<Charged | undefined> => {
  const { payment } = exchange;
  if (!payment) return undefined;
  exchange.charging ??= payment.charge().then((outcome) => {
    if (!outcome.ok) throw new FailureError(outcome);
    exchange.charged = outcome.value;
    return outcome.value;
  });
  return exchange.charging;
};

const withChallenge = async (payments: PayPerCall, offer: Offer, failure: Failure): Promise<Failure> => ({
  ...failure,
  detail: { ...failure.detail, challenge: await payments.challenge(offer) },
});

/** Puts the challenge on every 402 of an operation that can be paid for. */
export const paymentMiddleware = (gate: Gate): HttpMiddleware => ({
  onError: async (request) => {
    const exchange = findExchange(request.event);
    const offer = exchange && offerOf(gate, exchange.row);
    const failure = failureOf(request.error);
    if (!gate.payments || !offer || ERROR_TABLE[failure.code].status !== 402) return;
    try {
      request.error = new FailureError(await withChallenge(gate.payments, offer, failure));
    } catch (error) {
      // Without its secrets the service cannot say what a call costs; out of credits it is all the same.
      logFault('a payment challenge could not be made', error, { route: request.event.routeKey });
      if (failure.code === 'payment_required' && error instanceof Error) request.error = error;
    }
  },
});
