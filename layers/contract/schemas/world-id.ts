// Fields of the proof that a human stands behind an account.
import * as z from 'zod';
import { handleField, looseHandle, successField, unixSeconds } from './fields.ts';

export const WorldIdStatusParams = z.object({ handle: looseHandle('Handle of the account.') });

const level = () => z.string().nullable().describe('Level of the proof; null without one.');
const verifiedAt = () => unixSeconds('When the proof was verified; null without one.').nullable();

export const GetWorldIdStatusReply = z.looseObject({
  handle: handleField(),
  is_human: z.boolean().describe('Whether a proof is linked to the account.'),
  verification_level: level(),
  verified_at: verifiedAt(),
});

export const CreateWorldIdSignatureReply = z.looseObject({
  sig: z.string().describe('Signature of the relying party over the request.'),
  nonce: z.string().describe('Nonce issued to this account, for one use.'),
  created_at: unixSeconds('When the nonce was issued.'),
  expires_at: unixSeconds('Until when it works.'),
  rp_id: z.string().describe('Id of the relying party.'),
  app_id: z.string().describe('Id of the app.'),
  action: z.string().describe('The action that the proof must name.'),
});

const holdsNullifier = (result: Record<string, unknown>): boolean => {
  const responses = result['responses'];
  const first: unknown = Array.isArray(responses) ? responses[0] : undefined;
  return typeof first === 'object' && first !== null && 'nullifier' in first && typeof first.nullifier === 'string';
};

export const VerifyWorldIdRequest = z
  .object({
    idkit_result: z
      .record(z.string().max(100), z.unknown())
      .describe('What IDKit returned, unchanged; `responses[0].nullifier` names the proof.'),
    nullifier: z.string().min(1).max(200).optional().describe('The nullifier, when `idkit_result` does not hold it.'),
  })
  .refine((request) => request.nullifier !== undefined || holdsNullifier(request.idkit_result), {
    error: 'is required',
    path: ['nullifier'],
  });

export const VerifyWorldIdReply = z.looseObject({
  success: successField(),
  is_human: z.boolean().describe('Always true.'),
  verification_level: level(),
  verified_at: verifiedAt(),
});

export const RemoveWorldIdProofReply = z.looseObject({
  ok: z.boolean().describe('Always true.'),
  message: z.string().describe('What was done, in words.'),
});
