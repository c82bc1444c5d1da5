// Who pays for a call: what the stack makes of each kind of Authorization header, with payments switched on and off.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { RouteRow } from '#contract/define-route.ts';
import { registrationRoutes } from '#contract/routes/registration.ts';
import { fail, FailureError, ok } from '#domain/errors.ts';
import type { Gate } from '#domain/ports/gate.ts';
import type { PaidCall } from '#domain/ports/pay-per-call.ts';
import type { Exchange } from '#http/exchange.ts';
import { chargeCall, payingWallet } from '#http/middleware/pay.ts';

const PAYER = `0x${'a'.repeat(40)}` as const;
const paidCall: PaidCall = {
  payer: PAYER,
  charge: async () => ok({ changes: [], reference: '0x1', receipt: 'r' }),
  isSpent: async () => false,
};

const gate = (isOn: boolean): Gate =>
  ({
    ...(isOn && { payments: { challenge: async () => ({ header: 'Payment', terms: {} }), open: async () => ok(paidCall) } }),
  }) as unknown as Gate;

const ask = async (authorization: string | undefined, options: { isOn?: boolean; row?: RouteRow } = {}) => {
  const exchange = { row: options.row ?? registrationRoutes.registerEmail, now: 0, limits: [] } as unknown as Exchange;
  const event = { headers: authorization === undefined ? {} : { authorization } } as unknown as APIGatewayProxyEventV2;
  try {
    return await payingWallet(gate(options.isOn ?? true), event, exchange);
  } catch (error) {
    return error instanceof FailureError ? error.failure.code : error;
  }
};

describe('the Authorization header of an operation with a price', () => {
  it('default: a Payment names its payer, a Bearer is left to the rest of the stack', async () => {
    expect(await ask('Payment eyJhIjoxfQ')).toBe(PAYER);
    expect(await ask('payment eyJhIjoxfQ')).toBe(PAYER);
    expect(await ask('Bearer abc')).toBeUndefined();
    expect(await ask('Paymentx abc')).toBeUndefined();
  });

  it('behavior: nothing at all asks for the price; a malformed or endless Payment is 402', async () => {
    expect(await ask(undefined)).toBe('payment_required');
    expect(await ask('  ')).toBe('payment_required');
    expect(await ask('Payment')).toBe('payment_required');
    expect(await ask('Payment <script>')).toBe('payment_required');
    expect(await ask(`Payment ${'a'.repeat(20_000)}`)).toBe('payment_required');
  });

  it('behavior: switched off, or on an operation without a price, nobody can pay', async () => {
    expect(await ask(undefined, { isOn: false })).toBeUndefined();
    expect(await ask('Payment eyJhIjoxfQ', { isOn: false })).toBeUndefined();
    expect(await ask('Payment eyJhIjoxfQ', { row: registrationRoutes.upgradeHandle })).toBeUndefined();
  });
});

describe('the charge', () => {
  it('behavior: happens once however often it is asked for, and its refusal is thrown each time', async () => {
    let charges = 0;
    const counted: PaidCall = {
      ...paidCall,
      charge: () => {
        charges += 1;
        return paidCall.charge();
      },
    };
    const exchange = { payment: counted } as unknown as Exchange;
    await Promise.all([chargeCall(exchange), chargeCall(exchange)]);
    await chargeCall(exchange);
    expect([charges, exchange.charged?.reference]).toEqual([1, '0x1']);

    const refused = { payment: { ...paidCall, charge: async () => fail('payment_required') } } as unknown as Exchange;
    await expect(chargeCall(refused)).rejects.toThrow(FailureError);
    await expect(chargeCall(refused)).rejects.toThrow(FailureError);
    expect(refused.charged).toBeUndefined();
  });
});
