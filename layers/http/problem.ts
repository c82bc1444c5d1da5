// The one renderer of failures: status, body and headers from the error table.
import { ERROR_TABLE } from '#contract/errors.ts';
import { fail, type Failure, FailureError, InfrastructureError } from '#domain/errors.ts';
import type { HttpReply } from './reply.ts';

const sentenceOf = (failure: Failure): string => {
  const { message, resource } = failure.detail;
  return message ?? (resource === undefined ? ERROR_TABLE[failure.code].error : `${resource} not found`);
};

/** The reply of a failure; internal messages never reach it. */
export const problemReply = (failure: Failure, requestId: string): HttpReply => {
  const row = ERROR_TABLE[failure.code];
  const hint = failure.detail.hint ?? row.hint;
  const body = {
    error: sentenceOf(failure),
    code: failure.code,
    ...(hint !== undefined && { hint }),
    ...failure.detail.fields,
    request_id: requestId,
  };
  const retryAfter = failure.detail.retryAfterSeconds;
  return { status: row.status, body, ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }) };
};

/** The failure that an error means to the caller; anything unexpected is ours and stays vague. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof FailureError) return error.failure;
  if (error instanceof InfrastructureError && error.retryable) return fail('try_again', { message: 'A part of the service did not answer', retryAfterSeconds: 1 });
  return fail('internal_error');
};
