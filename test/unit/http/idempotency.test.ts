// Which refusals an Idempotency-Key keeps: a caller that is told to send the same request again must not be given the
// same refusal for a day.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { paymentsRoutes } from '#contract/routes/payments.ts';
import { type ErrorCode, fail, FailureError } from '#domain/errors.ts';
import type { Gate } from '#domain/ports/gate.ts';
import { type Exchange, openExchange } from '#http/exchange.ts';
import { idempotencyMiddleware } from '#http/middleware/idempotency.ts';

const fateOf = async (code: ErrorCode): Promise<string> => {
  let fate = 'running';
  const ends = (how: string) => async () => {
    fate = how;
  };
  const idempotency = { finish: ends('kept'), release: ends('free') };
  const event = { requestContext: { requestId: 'r' } } as unknown as APIGatewayProxyEventV2;
  openExchange(event, { row: paymentsRoutes.buyCredits, claim: { key: 'k', token: 't' } } as unknown as Exchange);
  const { onError } = idempotencyMiddleware({ idempotency } as unknown as Gate);
  await onError?.({ event, error: new FailureError(fail(code)) } as never);
  return fate;
};

describe('a refusal of a request with an Idempotency-Key', () => {
  it.each(['already_redeemed', 'payer_mismatch', 'amount_too_low', 'not_found'] as const)('default: %s is kept', async (code) => {
    expect(await fateOf(code)).toBe('kept');
  });

  it.each(['out_of_credits', 'rate_limited', 'try_again', 'delivery_failed'] as const)('default: %s frees the key', async (code) => {
    expect(await fateOf(code)).toBe('free');
  });

  it.each(['transaction_not_found', 'name_not_owned', 'wave_not_open'] as const)(
    'behavior: %s passes with time, so the same request may come again',
    async (code) => {
      expect(await fateOf(code)).toBe('free');
    },
  );
});
