// The one renderer of failures: status, body and headers from the error table.
import { ERROR_TABLE } from '#contract/errors.ts';
import { fail, type Failure, FailureError, InfrastructureError } from '#domain/errors.ts';
import type { HttpReply } from './reply.ts';

const sentenceOf = (failure: Failure): string => {
  const { message, resource } = failure.detail;
  return message ?? (resource === undefined ? ERROR_TABLE[failure.code].error : `${resource} not found`);
};

const challengeFields = ({ detail: { challenge } }: Failure) =>
  challenge ? { challenge: challenge.header, payment: challenge.terms } : {};

/** The challenge goes in two headers, because a gateway may rename the first; every 401 names a scheme (RFC 9110, 11.6.1). */
const headersOf = ({ code, detail }: Failure): Record<string, string> => ({
  ...(ERROR_TABLE[code].status === 401 && { 'www-authenticate': 'Bearer' }),
  ...(detail.retryAfterSeconds !== undefined && { 'retry-after': String(detail.retryAfterSeconds) }),
  ...(detail.challenge && { 'www-authenticate': detail.challenge.header, 'x-payment-challenge': detail.challenge.header }),
});

/** The reply of a failure; internal messages never reach it. */
export const problemReply = (failure: Failure, requestId: string): HttpReply => {
  const row = ERROR_TABLE[failure.code];
  const hint = failure.detail.hint ?? row.hint;
  const body = {
    error: sentenceOf(failure),
    code: failure.code,
    ...(hint !== undefined && { hint }),
    ...failure.detail.fields,
    ...challengeFields(failure),
    request_id: requestId,
  };
  return { status: row.status, body, headers: headersOf(failure) };
};

/** The failure that an error means to the caller; anything unexpected is ours and stays vague. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof FailureError) return error.failure;
  if (error instanceof InfrastructureError && error.retryable)
    return fail('try_again', { message: 'A part of the service did not answer', retryAfterSeconds: 1 });
  return fail('internal_error');
};
