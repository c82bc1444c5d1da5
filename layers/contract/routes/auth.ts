// Rows of sign-in, tokens and API keys.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/auth.ts';
import { SuccessReply } from '../schemas/fields.ts';

const SIGN_IN_ERRORS = [
  'invalid_json',
  'no_nonce_in_message',
  'nonce_expired',
  'signature_invalid',
  'misconfigured',
  'chain_unavailable',
] as const;

export const authRoutes = {
  authStart: defineRoute({
    operationId: 'authStart',
    method: 'POST',
    path: '/api/auth/start',
    area: 'auth',
    access: 'public',
    summary: 'Begin a sign-in',
    description:
      'Issues a nonce and the Sign-In-With-Ethereum (EIP-4361) text that holds it. Sign the text verbatim with personal_sign, then call ' +
      'POST /api/auth/agent-register or POST /api/auth/verify. The nonce is bound to the address, works once and expires after 300 seconds.',
    body: schema.AuthStartRequest,
    responses: { 200: { description: 'The nonce and the text to sign.', body: schema.AuthStartReply } },
    errors: ['try_again'],
  }),
  authAgentRegister: defineRoute({
    operationId: 'authAgentRegister',
    method: 'POST',
    path: '/api/auth/agent-register',
    area: 'auth',
    access: 'public',
    summary: 'Sign in, making the account if there is none',
    description:
      'Checks the signature and returns a session token and a refresh token. A new wallet gets an account with 10 credits and 50 ATTN; ' +
      'its handle is the owned `basename`, else the reverse-resolved name, else the lower-case 0x address. A wallet that is registered ' +
      'already just signs in; an owned `basename` is then added as an alias. The checks run in this order: sizes and types, nonce line ' +
      '(`no_nonce_in_message`), nonce stored and unexpired (`nonce_expired`), text, address and signature (`signature_invalid`). ' +
      'A wrong signature does not use up the nonce. The register limit counts only calls that would make an account.',
    body: schema.AuthAgentRegisterRequest,
    responses: {
      200: { description: 'Signed in to the account there was.', body: schema.AuthAgentRegisterReply },
      201: { description: 'The account was made.', body: schema.AuthAgentRegisterReply },
    },
    errors: [...SIGN_IN_ERRORS, 'invalid_name', 'name_not_owned', 'handle_taken', 'rate_limited', 'try_again'],
    limits: ['register'],
  }),
  authVerify: defineRoute({
    operationId: 'authVerify',
    method: 'POST',
    path: '/api/auth/verify',
    area: 'auth',
    access: 'public',
    summary: 'Sign in without making an account',
    description:
      'Checks the signature as POST /api/auth/agent-register does, but makes no account: for an unregistered wallet `registered` is false, ' +
      'the token has an empty handle and works with POST /api/register. `suggested_handle` is what that call would give.',
    body: schema.AuthVerifyRequest,
    responses: { 200: { description: 'A token for the wallet.', body: schema.AuthVerifyReply } },
    errors: [...SIGN_IN_ERRORS],
  }),
  authRefresh: defineRoute({
    operationId: 'authRefresh',
    method: 'POST',
    path: '/api/auth/refresh',
    area: 'auth',
    access: 'public',
    summary: 'Exchange a refresh token for a session token',
    description:
      'Returns a fresh session token. With `rotate: true` the refresh token is replaced too, and the old one stops working in the same step. ' +
      'Refresh tokens are valid for 60 days.',
    body: schema.AuthRefreshRequest,
    responses: { 200: { description: 'The new token or tokens.', body: schema.AuthRefreshReply } },
    errors: ['refresh_token_invalid', 'misconfigured', 'try_again'],
  }),
  authNonce: defineRoute({
    operationId: 'authNonce',
    method: 'GET',
    path: '/api/auth/nonce',
    area: 'auth',
    access: 'public',
    summary: 'Get a nonce (deprecated)',
    description:
      'Deprecated: use authStart (POST /api/auth/start), which gives nonce and text in one call. Issues a nonce valid 300 seconds.',
    responses: { 200: { description: 'The nonce.', body: schema.AuthNonceReply } },
    errors: ['try_again'],
    deprecated: { replacedBy: 'authStart' },
  }),
  authMessage: defineRoute({
    operationId: 'authMessage',
    method: 'POST',
    path: '/api/auth/message',
    area: 'auth',
    access: 'public',
    summary: 'Build the text to sign (deprecated)',
    description:
      'Deprecated: use authStart (POST /api/auth/start). Builds the EIP-4361 text for a nonce of GET /api/auth/nonce and binds the nonce to ' +
      'the address. An unknown or expired nonce is 400.',
    body: schema.AuthMessageRequest,
    responses: { 200: { description: 'The text to sign.', body: schema.AuthMessageReply } },
    errors: ['try_again'],
    deprecated: { replacedBy: 'authStart' },
  }),
  createApiKey: defineRoute({
    operationId: 'createApiKey',
    method: 'POST',
    path: '/api/keys/create',
    area: 'auth',
    access: 'account',
    summary: 'Make an API key',
    description:
      'Makes a long-lived key for the account. The key is shown only in this reply; the service keeps a hash. It works as a Bearer ' +
      'credential until it is revoked.',
    body: schema.CreateApiKeyRequest,
    bodyOptional: true,
    responses: { 200: { description: 'The key.', body: schema.CreateApiKeyReply } },
    errors: ['limit_reached', 'try_again'],
    idempotent: true,
    secretReply: true,
  }),
  listApiKeys: defineRoute({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/api/keys/list',
    area: 'auth',
    access: 'account',
    summary: 'List the API keys',
    description: 'Lists the keys of the account, revoked ones too, by their prefixes. The keys themselves cannot be read again.',
    responses: { 200: { description: 'The keys.', body: schema.ListApiKeysReply } },
    errors: [],
  }),
  revokeApiKey: defineRoute({
    operationId: 'revokeApiKey',
    method: 'POST',
    path: '/api/keys/revoke',
    area: 'auth',
    access: 'account',
    summary: 'Revoke an API key',
    description: 'Ends a key at once; later use of it gives 401. Revoking a revoked key succeeds; an unknown id is 404.',
    body: schema.RevokeApiKeyRequest,
    responses: { 200: { description: 'The key is revoked.', body: SuccessReply } },
    errors: ['not_found', 'try_again'],
  }),
} as const;
