// Which failures a row can answer with: its own and those that follow from what kind of row it is.
import { ERROR_CODES, type ErrorCode } from '#domain/errors.ts';
import type { RouteRow } from './define-route.ts';

const INPUT: readonly ErrorCode[] = ['invalid_request'];
const BODY: readonly ErrorCode[] = ['invalid_json', 'invalid_request', 'payload_too_large'];
const CREDENTIAL: readonly ErrorCode[] = ['unauthorized', 'misconfigured'];
const HANDLE: readonly ErrorCode[] = ['no_handle'];
const IDEMPOTENCY: readonly ErrorCode[] = ['invalid_request', 'idempotency_in_progress', 'idempotency_key_reused'];
const PAYMENT: readonly ErrorCode[] = ['payment_required'];
const LIMITED: readonly ErrorCode[] = ['rate_limited'];
const PLANNED: readonly ErrorCode[] = ['not_implemented'];

/** Failures of the paths as such; no single operation has them. */
export const PATH_ERRORS: readonly ErrorCode[] = ['not_found', 'method_not_allowed'];

/** Every code that the operation can answer with, its own first. */
export function errorsOfRow(row: RouteRow): readonly ErrorCode[] {
  const limits = row.limits ?? [];
  const groups: readonly (readonly ErrorCode[] | false)[] = [
    row.errors,
    (row.query !== undefined || row.params !== undefined) && INPUT,
    row.body !== undefined && BODY,
    row.access !== 'public' && CREDENTIAL,
    row.access === 'account' && HANDLE,
    row.idempotent === true && IDEMPOTENCY,
    row.payment !== undefined && PAYMENT,
    limits.length > 0 && LIMITED,
    row.planned === true && PLANNED,
    ['internal_error'],
  ];
  return [...new Set(groups.flatMap((codes) => (codes === false ? [] : codes)))];
}

/** Every code that a service of these rows can answer with: the one that asks for a payment only where one is taken. */
export const codesOf = (rows: readonly RouteRow[]): readonly ErrorCode[] =>
  rows.some((row) => row.payment !== undefined) ? ERROR_CODES : ERROR_CODES.filter((code) => !PAYMENT.includes(code));
