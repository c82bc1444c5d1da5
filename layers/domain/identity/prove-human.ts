// Links a proof of human to an account. Whatever can be checked here is checked before the verifier is asked: a proof has to
// answer a question of ours, put to this very account, and its nullifier is taken from the verifier and never from the
// caller, so that neither a stolen proof nor a repeated one counts.
import { fail, type Failure, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { HumanProof, HumanProofs, ProofVerifier, RequestSigner, SignedRequest, WorldIdTerms } from '../ports/world-id.ts';
import type { Wallet } from '../values/wallet.ts';

export interface ProveHumanPorts {
  readonly terms: WorldIdTerms;
  readonly signer: RequestSigner;
  readonly verifier: ProofVerifier;
  readonly proofs: HumanProofs;
  readonly committer: Committer;
}

/** Legacy proofs (3.0) have other nullifiers for the same human, who could then verify two accounts. */
const PROTOCOL_VERSION = '4.0';
const HEXADECIMAL = /^(?:0x)?[0-9a-fA-F]{1,64}$/;

const invalid = (message: string): Failure => fail('proof_invalid', { message });

/** One spelling for one number: nullifiers and nonces come with and without `0x`, and with leading zeros. */
const normalised = (hex: unknown): string | undefined =>
  typeof hex === 'string' && HEXADECIMAL.test(hex)
    ? hex
        .toLowerCase()
        .replace(/^0x/, '')
        .replace(/^0+(?=.)/, '')
    : undefined;

/** Begins a proof: a nonce for this account and the signed request that IDKit needs. */
export const beginProof = async (ports: ProveHumanPorts, wallet: Wallet, now: number): Promise<Outcome<SignedRequest>> => {
  const signed = await ports.signer.sign(ports.terms.action, now);
  if (signed === 'key-missing') return fail('signing_key_missing');
  await ports.proofs.issueNonce(normalised(signed.nonce) ?? '', wallet, signed.expiresAt);
  return ok(signed);
};

/** The parts of an IDKit result that are checked here; anything else is the verifier's to judge. */
interface StatedProof {
  readonly nonce: string;
  readonly signalHash: string | undefined;
  readonly nullifier: string | undefined;
}

const readResult = (terms: WorldIdTerms, result: Readonly<Record<string, unknown>>): Outcome<StatedProof> => {
  if (result['protocol_version'] !== PROTOCOL_VERSION) return invalid('Only proofs of protocol version 4.0 are taken');
  if ('session_id' in result) return invalid('A session is no proof of a unique human');
  if (result['action'] !== terms.action) return invalid('The proof is for another action');
  if (result['environment'] !== terms.environment) return invalid(`The proof is not of the ${terms.environment} environment`);
  const nonce = normalised(result['nonce']);
  if (nonce === undefined) return invalid('The proof names no nonce');
  const responses = Array.isArray(result['responses']) ? (result['responses'] as unknown[]) : [];
  if (responses.length !== 1) return invalid('The proof must hold one response');
  const { signal_hash: signalHash, nullifier } = (responses[0] ?? {}) as Readonly<Record<string, unknown>>;
  return ok({ nonce, signalHash: normalised(signalHash), nullifier: normalised(nullifier) });
};

const checkStated = async (ports: ProveHumanPorts, request: ProveHumanRequest): Promise<Outcome<StatedProof>> => {
  const stated = readResult(ports.terms, request.result);
  if (!stated.ok) return stated;
  const { wallet, now } = request;
  if (!(await ports.proofs.isNonceOf(stated.value.nonce, wallet, now))) {
    return fail('proof_invalid', {
      message: 'The nonce was not issued to this account, was used before, or has expired',
      hint: 'Call POST /api/world-id/rp-signature for a fresh one.',
    });
  }
  if (stated.value.signalHash !== normalised(await ports.signer.signalOf(wallet)))
    return invalid('The signal of the proof is not the wallet of this account');
  return stated;
};

const verified = async (ports: ProveHumanPorts, request: ProveHumanRequest, stated: StatedProof): Promise<Outcome<HumanProof>> => {
  const claimed = stated.nullifier ?? normalised(request.nullifier);
  const answer = await ports.verifier.verify(request.result);
  if (answer === 'unavailable') return fail('verifier_unavailable');
  if ('refused' in answer) return invalid(`The verifier refused the proof: ${answer.refused}`);
  const nullifier = normalised(answer.nullifier);
  if (nullifier === undefined || claimed !== nullifier) {
    return invalid('The nullifier of the proof is not the one that was verified');
  }
  return ok({ wallet: request.wallet, nullifier, level: answer.level, verifiedAt: request.now });
};

export interface ProveHumanRequest {
  readonly wallet: Wallet;
  /** What IDKit returned, unchanged. */
  readonly result: Readonly<Record<string, unknown>>;
  /** The nullifier as the caller states it, when the result does not hold it. */
  readonly nullifier: string | undefined;
  readonly now: number;
}

/**
 * Links a proof to an account (interface, `POST /api/world-id/verify`).
 *
 * @returns the proof the account holds; `proof_linked_elsewhere` when its human stands behind another account.
 */
export const proveHuman = async (ports: ProveHumanPorts, request: ProveHumanRequest): Promise<Outcome<HumanProof>> => {
  const { wallet, now } = request;
  const held = await ports.proofs.of(wallet);
  if (held) return ok(held);
  const stated = await checkStated(ports, request);
  if (!stated.ok) return stated;
  const proof = await verified(ports, request, stated.value);
  if (!proof.ok) return proof;
  const changes: Change[] = [
    { kind: 'human.link', proof: proof.value },
    { kind: 'human.nonce', nonce: stated.value.nonce, wallet, now },
    { kind: 'account.change', wallet, set: { isHuman: true } },
  ];
  const committed = await ports.committer.commit(changes);
  if (committed.ok) return proof;
  // The same account proved itself in another request meanwhile.
  const winner = committed.code === 'try_again' ? await ports.proofs.of(wallet) : undefined;
  return winner ? ok(winner) : committed;
};

/** Takes the proof away and sets it free (decisions, "Everywhere"); without a proof there is nothing to do. */
export const removeProof = async (ports: Pick<ProveHumanPorts, 'proofs' | 'committer'>, wallet: Wallet): Promise<Outcome<void>> => {
  const proof = await ports.proofs.of(wallet);
  if (!proof) return ok(undefined);
  return ports.committer.commit([
    { kind: 'human.unlink', proof },
    { kind: 'account.change', wallet, set: { isHuman: false } },
  ]);
};
