// The closed list of expected failures and the value that carries one. No HTTP here:
// statuses and texts stand in contract/errors.ts, typed over every code, so a forgotten one does not compile.

/** Every expected failure of the service. Clients see these as `code`. */
export const ERROR_CODES = [
  'invalid_request',
  'invalid_json',
  'invalid_recipient',
  'invalid_name',
  'invalid_transaction_hash',
  'attachment_too_large',
  'upload_not_found',
  'recipient_suppressed',
  'sender_paused',
  'email_already_read',
  'name_too_expensive',
  'transaction_failed',
  'wrong_recipient',
  'amount_too_low',
  'transaction_not_bound',
  'transaction_too_old',
  'payer_mismatch',
  'already_pro',
  'already_named',
  'score_zero',
  'proof_invalid',
  'unauthorized',
  'no_nonce_in_message',
  'nonce_expired',
  'signature_invalid',
  'refresh_token_invalid',
  'out_of_credits',
  'payment_required',
  'no_handle',
  'name_not_owned',
  'wave_not_open',
  'wave_closed',
  'not_found',
  'transaction_not_found',
  'method_not_allowed',
  'wallet_already_registered',
  'handle_taken',
  'name_unavailable',
  'already_redeemed',
  'already_claimed',
  'proof_linked_elsewhere',
  'limit_reached',
  'idempotency_in_progress',
  'bonds_retired',
  'payload_too_large',
  'prestore_too_large',
  'idempotency_key_reused',
  'rate_limited',
  'internal_error',
  'delivery_failed',
  'purchase_failed',
  'price_unavailable',
  'signing_key_missing',
  'not_implemented',
  'verifier_unavailable',
  'misconfigured',
  'chain_unavailable',
  'auto_registration_unavailable',
  'try_again',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What a failure may say beyond its code. */
export interface FailureDetail {
  /** Replaces the table's sentence; for a 404 name the thing instead (`resource`). */
  readonly message?: string;
  /** The thing that was not found: `Email` gives "Email not found". */
  readonly resource?: string;
  /** What the caller can do about it, when more is known than the table's hint. */
  readonly hint?: string;
  /** Additional body fields that the interface names (`credits`, `existing_handle`, `required`, ...). */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** How the call can be paid for: the challenge as a header carries it, and its terms for people. */
  readonly challenge?: { readonly header: string; readonly terms: Readonly<Record<string, unknown>> };
  /** Seconds after which a retry makes sense (`Retry-After`). */
  readonly retryAfterSeconds?: number;
}

export interface Failure {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly detail: FailureDetail;
}

export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

/** A use case ends in one of these; only programmer errors and lost infrastructure throw. */
export type Outcome<T> = Success<T> | Failure;

export const ok = <T>(value: T): Success<T> => ({ ok: true, value });

export const fail = (code: ErrorCode, detail: FailureDetail = {}): Failure => ({ ok: false, code, detail });

/** Fails as `<resource> not found`; one wording for "missing" and "not yours", so that ids cannot be probed. */
export const notFound = (resource: string): Failure => fail('not_found', { resource });

/** Carries a failure out of code that cannot return one, such as a callback inside a transaction. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** An outside system did not do its part; `retryable` tells workers whether the same call may succeed later. */
export class InfrastructureError extends Error {
  override readonly name = 'InfrastructureError';
  readonly retryable: boolean;
  constructor(message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable ?? true;
  }
}

/** Stops the program on a state that our own code promises can never be (a bug, never bad input). */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant violated: ${message}`);
}
