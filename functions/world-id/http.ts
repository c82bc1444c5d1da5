// The proof that a human stands behind an account.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openHumanProofs } from '#adapters/dynamo/human-proof-store.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { openProofVerifier, WORLD_ID_API } from '#adapters/world-id/proof-verifier.ts';
import { openRequestSigner } from '#adapters/world-id/request-signer.ts';
import { worldIdRoutes } from '#contract/routes/world-id.ts';
import { fail, FailureError, notFound } from '#domain/errors.ts';
import { findByHandle } from '#domain/identity/look-up.ts';
import { beginProof, proveHuman, removeProof } from '#domain/identity/prove-human.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { optional } from '#runtime/config.ts';
import { openAccess } from '../access.ts';
import { signatureBody, statusBody, verifiedBody } from './present.ts';

const { config, table, accounts, options } = openAccess();
const secret = openSecret(optional('WORLD_ID_SECRET'));

/** Anywhere but on one machine a stand-in would make anyone a human, so the setting alone must not be enough. */
const isStub = optional('WORLD_ID_STUB') === 'true' && config.stage === 'local';

const terms = {
  appId: optional('WORLD_ID_APP_ID'),
  rpId: optional('WORLD_ID_RP_ID'),
  action: optional('WORLD_ID_ACTION', 'verify-human'),
  environment: isStub ? 'staging' : 'production',
};

const verifierUrl = async (): Promise<string> => {
  if (!isStub) return WORLD_ID_API;
  const url = (await secret())['verifier_url'];
  if (url === undefined) throw new FailureError(fail('misconfigured'));
  return url;
};

/** Undefined also where the whole secret is missing: either way the operator has set no key. */
const readSigningKey = async (): Promise<string | undefined> => {
  try {
    return (await secret())['signing_key'];
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
};

const ports = {
  terms,
  accounts,
  handles: openHandles(table),
  proofs: openHumanProofs(table),
  committer: openCommitter(table),
  signer: openRequestSigner(readSigningKey),
  verifier: openProofVerifier(verifierUrl, terms.rpId),
};

export const handler = areaHandler(worldIdRoutes, options, {
  getWorldIdStatus: async ({ params }) => {
    const account = await findByHandle(ports, params.handle);
    return account ? answerWith(statusBody(account.handle, await ports.proofs.of(account.wallet))) : notFound('Handle');
  },
  createWorldIdSignature: async (_input, { wallet, now }) => {
    const signed = await beginProof(ports, wallet, now);
    return signed.ok ? answerWith(signatureBody(signed.value, terms)) : signed;
  },
  verifyWorldId: async ({ body }, { wallet, now }) => {
    const proof = await proveHuman(ports, { wallet, result: body.idkit_result, nullifier: body.nullifier, now });
    return proof.ok ? answerWith(verifiedBody(proof.value)) : proof;
  },
  removeWorldIdProof: async (_input, { wallet }) => {
    const removed = await removeProof(ports, wallet);
    return removed.ok ? answerWith({ ok: true, message: 'The proof is removed and may be linked to another account.' }) : removed;
  },
});
