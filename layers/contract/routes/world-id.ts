// Rows of the proof that a human stands behind an account.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/world-id.ts';

export const worldIdRoutes = {
  getWorldIdStatus: defineRoute({
    operationId: 'getWorldIdStatus',
    method: 'GET',
    path: '/api/world-id/status/{handle}',
    area: 'world-id',
    access: 'public',
    summary: 'Whether a human stands behind a handle',
    description: 'Returns whether a proof of human is linked to the account. An unknown handle is 404.',
    params: schema.WorldIdStatusParams,
    responses: { 200: { description: 'The status.', body: schema.GetWorldIdStatusReply } },
    errors: ['not_found'],
  }),
  createWorldIdSignature: defineRoute({
    operationId: 'createWorldIdSignature',
    method: 'POST',
    path: '/api/world-id/rp-signature',
    area: 'world-id',
    access: 'account',
    summary: 'Begin a proof of human',
    description: 'Issues a nonce for this account and signs the request that IDKit needs. The nonce works once.',
    responses: { 200: { description: 'What IDKit needs.', body: schema.CreateWorldIdSignatureReply } },
    errors: ['signing_key_missing', 'try_again'],
  }),
  verifyWorldId: defineRoute({
    operationId: 'verifyWorldId',
    method: 'POST',
    path: '/api/world-id/verify',
    area: 'world-id',
    access: 'account',
    summary: 'Link a proof of human',
    description:
      "Checks that the proof names this service's action, a nonce issued to this account and the wallet as its signal, has the verifier confirm it, " +
      'and links it. An account that is verified already gets 200. A proof that is linked to another account is 409. One proof per account.',
    body: schema.VerifyWorldIdRequest,
    responses: { 200: { description: 'The account is verified.', body: schema.VerifyWorldIdReply } },
    errors: ['proof_invalid', 'proof_linked_elsewhere', 'verifier_unavailable', 'try_again'],
  }),
  removeWorldIdProof: defineRoute({
    operationId: 'removeWorldIdProof',
    method: 'DELETE',
    path: '/api/world-id/verify',
    area: 'world-id',
    access: 'account',
    summary: 'Remove the proof of human',
    description: 'Removes the proof and the human flag; the proof may then be linked to another account. Without a proof it does nothing.',
    responses: { 200: { description: 'The proof is gone.', body: schema.RemoveWorldIdProofReply } },
    errors: ['try_again'],
  }),
} as const;
