// How proofs of human read on the wire.
import type { HumanProof, SignedRequest, WorldIdTerms } from '#domain/ports/world-id.ts';

export const signatureBody = (signed: SignedRequest, { rpId, appId, action }: WorldIdTerms) => ({
  sig: signed.signature,
  nonce: signed.nonce,
  created_at: signed.createdAt,
  expires_at: signed.expiresAt,
  rp_id: rpId,
  app_id: appId,
  action,
});

export const statusBody = (handle: string, proof: HumanProof | undefined) => ({
  handle,
  is_human: proof !== undefined,
  verification_level: proof?.level ?? null,
  verified_at: proof?.verifiedAt ?? null,
});

export const verifiedBody = (proof: HumanProof) => ({
  success: true,
  is_human: true,
  verification_level: proof.level,
  verified_at: proof.verifiedAt,
});
