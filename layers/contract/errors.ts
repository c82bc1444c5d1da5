// The one table from error code to HTTP status, sentence and hint. It is total: a code without a row does not compile.
import * as z from 'zod';
import type { ErrorCode } from '#domain/errors.ts';

export interface ErrorRow {
  readonly status: number;
  /** The `error` sentence of the body, unless the failure brings its own. */
  readonly error: string;
  /** What the caller can do about it. */
  readonly hint?: string;
}

export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorRow>> = {
  invalid_request: { status: 400, error: 'The request is not valid' },
  invalid_json: { status: 400, error: 'The body is not valid JSON', hint: 'Send a JSON object with Content-Type: application/json.' },
  invalid_recipient: {
    status: 400,
    error: 'The recipient address is not valid',
    hint: 'Give one bare address, such as agent@example.com.',
  },
  invalid_name: { status: 400, error: 'The name is not valid', hint: 'Names have 3 to 32 characters of a-z, 0-9 and -.' },
  invalid_transaction_hash: {
    status: 400,
    error: 'The transaction hash is not valid',
    hint: 'A hash is 0x followed by 64 hexadecimal digits.',
  },
  attachment_too_large: { status: 400, error: 'An attachment is larger than 10 MB' },
  upload_not_found: {
    status: 400,
    error: 'The upload is unknown, incomplete or expired',
    hint: 'PUT the bytes to the URL from POST /api/uploads before you send.',
  },
  recipient_suppressed: {
    status: 400,
    error: 'Mail to this recipient bounced or was complained about before',
    hint: 'This address is on the suppression list of your account; use another address.',
  },
  sender_paused: {
    status: 400,
    error: 'Too many of your recent external messages bounced',
    hint: 'External sending is paused for this account; write to the operator.',
  },
  email_already_read: { status: 400, error: 'The email was already read' },
  name_too_expensive: {
    status: 400,
    error: 'The name costs more than the service pays for',
    hint: 'Choose a longer name, or buy it yourself with GET /api/register/buy-data/{name}.',
  },
  transaction_failed: { status: 400, error: 'The transaction failed on chain' },
  wrong_recipient: {
    status: 400,
    error: 'The transaction does not pay the expected address',
    hint: 'Pay the address directly; transfers made inside a contract call are not recognised.',
  },
  amount_too_low: { status: 400, error: 'The amount is below the minimum' },
  transaction_not_bound: {
    status: 400,
    error: 'The transaction names no chain, so anyone can repeat it on another one',
    hint: 'Where chain_id is taken, name the chain with it; else pay with a transaction that carries its chain id (EIP-155), as every current wallet makes them.',
  },
  transaction_too_old: {
    status: 400,
    error: 'The transaction is older than 30 days',
    hint: 'Write to the operator when this payment was meant for this service.',
  },
  payer_mismatch: {
    status: 400,
    error: 'The payment was not sent by the wallet of this account',
    hint: 'Pay from the wallet that you signed in with; its own account can still redeem this payment.',
  },
  already_pro: { status: 400, error: 'The account is already Pro' },
  already_named: { status: 400, error: 'The account already has a name handle' },
  score_zero: { status: 400, error: 'The score of this account is zero' },
  proof_invalid: { status: 400, error: 'The proof could not be verified' },
  unauthorized: {
    status: 401,
    error: 'The credential is missing, invalid, expired or revoked',
    hint: 'Send Authorization: Bearer <token or API key>; POST /api/auth/start begins a sign-in.',
  },
  no_nonce_in_message: { status: 401, error: 'The message holds no nonce', hint: 'Sign the message from POST /api/auth/start verbatim.' },
  nonce_expired: {
    status: 401,
    error: 'The nonce is unknown, used or expired',
    hint: 'Call POST /api/auth/start for a fresh message; it is valid for 300 seconds and once.',
  },
  signature_invalid: {
    status: 401,
    error: 'The signature does not fit the message and address',
    hint: 'Sign the issued message verbatim with the wallet it was issued to (EIP-191 personal_sign).',
  },
  refresh_token_invalid: {
    status: 401,
    error: 'The refresh token is invalid or expired',
    hint: 'Sign in again with POST /api/auth/start.',
  },
  out_of_credits: { status: 402, error: 'Out of credits', hint: 'Buy credits with POST /api/credits/buy; mail between agents stays free.' },
  payment_required: { status: 402, error: 'Payment required', hint: 'Pay the challenge in WWW-Authenticate, or send a Bearer credential.' },
  no_handle: { status: 403, error: 'This wallet has no registered handle', hint: 'Register one with POST /api/register.' },
  name_not_owned: {
    status: 403,
    error: 'The name is not owned by this wallet',
    hint: 'After a fresh purchase wait about 15 seconds and try again.',
  },
  wave_not_open: { status: 403, error: 'The claim has not opened yet' },
  wave_closed: { status: 403, error: 'The claim is closed' },
  not_found: { status: 404, error: 'Not found' },
  transaction_not_found: {
    status: 404,
    error: 'The transaction is not known or not confirmed yet',
    hint: 'Wait for confirmations and send the same request again.',
  },
  method_not_allowed: { status: 405, error: 'The method is not allowed here', hint: 'The Allow header lists the methods of this path.' },
  wallet_already_registered: { status: 409, error: 'The wallet is already registered' },
  handle_taken: {
    status: 409,
    error: 'The handle is registered by another wallet',
    hint: 'Use another name that your wallet owns; your 0x address always works as a handle.',
  },
  name_unavailable: {
    status: 409,
    error: 'The name is not available on chain',
    hint: 'Choose another name; GET /api/register/check/{query} tells what stands against one.',
  },
  already_redeemed: { status: 409, error: 'The transaction was already redeemed' },
  already_claimed: { status: 409, error: 'Already claimed' },
  proof_linked_elsewhere: { status: 409, error: 'The proof is linked to another account' },
  limit_reached: { status: 409, error: 'The account has as many of these as it may have', hint: 'Delete one first.' },
  idempotency_in_progress: {
    status: 409,
    error: 'A request with this Idempotency-Key is still running',
    hint: 'Wait a moment and repeat the same request.',
  },
  bonds_retired: { status: 410, error: 'USDC attention bonds are retired' },
  payload_too_large: {
    status: 413,
    error: 'The request is too large',
    hint: 'Upload attachments with POST /api/uploads and name their upload_id.',
  },
  prestore_too_large: { status: 413, error: 'Mail to an unregistered wallet may have at most 1 MB' },
  idempotency_key_reused: {
    status: 422,
    error: 'This Idempotency-Key was used with another request',
    hint: 'Use a fresh key for a different request.',
  },
  rate_limited: { status: 429, error: 'Too many requests', hint: 'Wait for the seconds in Retry-After.' },
  internal_error: { status: 500, error: 'Something went wrong on our side', hint: 'Try again; quote request_id when you report it.' },
  delivery_failed: { status: 500, error: 'The delivery provider refused the message', hint: 'No credit was spent.' },
  purchase_failed: { status: 500, error: 'The on-chain purchase failed' },
  price_unavailable: { status: 500, error: 'The on-chain price query failed', hint: 'Try again in a few seconds.' },
  signing_key_missing: { status: 500, error: 'The World ID signing key is not configured' },
  not_implemented: { status: 501, error: 'This operation is not available yet' },
  verifier_unavailable: { status: 503, error: 'The verifier could not be reached', hint: 'Try again in a few seconds.' },
  misconfigured: { status: 503, error: 'The server is misconfigured', hint: 'The operator has to set a secret that is missing.' },
  chain_unavailable: { status: 503, error: 'The chain could not be reached', hint: 'Nothing was decided; try again in a few seconds.' },
  auto_registration_unavailable: { status: 503, error: 'Buying names is not configured on this service' },
  try_again: { status: 503, error: 'Too much is happening at once for this account', hint: 'Nothing was changed; try again in a moment.' },
};

/** The body of every error (interface, "Errors"); some codes add fields. */
export const ErrorBody = z.looseObject({
  error: z.string().describe('What went wrong, for people.'),
  code: z.string().optional().describe('What went wrong, for programs: one of a closed list.'),
  hint: z.string().optional().describe('What to do about it.'),
  request_id: z.string().optional().describe('The id to quote when reporting; also in x-request-id.'),
});
