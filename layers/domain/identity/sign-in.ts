// Sign-in with an EVM wallet (EIP-4361): issues the text, and checks a signed one in the order that decisions.md gives.
import { fail, type Failure, ok, type Outcome } from '../errors.ts';
import type { Nonces } from '../ports/stores.ts';
import type { SignatureVerifier, SignInTexts } from '../ports/wallets.ts';
import type { Ids } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';

export const NONCE_LIFE_SECONDS = 300;
const NONCE_CHARACTERS = 24;

export interface SignInPorts {
  readonly nonces: Nonces;
  readonly texts: SignInTexts;
  readonly signatures: SignatureVerifier;
  readonly ids: Ids;
  readonly mailDomain: string;
}

export interface SignInMoment {
  readonly now: number;
  readonly baseUrl: string;
}

const textFor = (ports: SignInPorts, address: Wallet, nonce: string, expiresAt: number, { now, baseUrl }: SignInMoment): Promise<string> =>
  ports.texts.build({ address, domain: ports.mailDomain, uri: baseUrl, nonce, issuedAt: now, expiresAt });

/** Issues a nonce with its text, bound to the address, so that nobody else can spend it. */
export const startSignIn = async (
  ports: SignInPorts,
  address: Wallet,
  moment: SignInMoment,
): Promise<{ nonce: string; message: string }> => {
  const nonce = ports.ids.token(NONCE_CHARACTERS);
  const expiresAt = moment.now + NONCE_LIFE_SECONDS;
  const message = await textFor(ports, address, nonce, expiresAt, moment);
  await ports.nonces.issue({ nonce, address, message, expiresAt });
  return { nonce, message };
};

/** The deprecated first half: a bare nonce, bound to an address when its text is built. */
export const issueNonce = async (ports: SignInPorts, { now }: SignInMoment): Promise<{ nonce: string }> => {
  const nonce = ports.ids.token(NONCE_CHARACTERS);
  await ports.nonces.issue({ nonce, expiresAt: now + NONCE_LIFE_SECONDS });
  return { nonce };
};

/** The deprecated second half: builds and stores the text of a bare nonce; an unknown or used one is 400. */
export const buildMessage = async (
  ports: SignInPorts,
  input: { address: Wallet; nonce: string },
  moment: SignInMoment,
): Promise<Outcome<{ message: string }>> => {
  const unknown = fail('invalid_request', { message: 'nonce is unknown, expired or already in a message' });
  const record = await ports.nonces.find(input.nonce);
  if (!record || record.expiresAt <= moment.now) return unknown;
  const message = await textFor(ports, input.address, input.nonce, record.expiresAt, moment);
  const isBound = await ports.nonces.bind({ nonce: input.nonce, address: input.address, message, expiresAt: record.expiresAt }, moment.now);
  return isBound ? ok({ message }) : unknown;
};

export interface SignedMessage {
  readonly address: Wallet;
  readonly message: string;
  readonly signature: string;
}

const VERDICT_FAILURES: Readonly<Record<'invalid' | 'unavailable', Failure>> = {
  invalid: fail('signature_invalid'),
  unavailable: fail('chain_unavailable'),
};

/**
 * Checks a signed text and gives the nonce to consume. The text must equal the issued one to the letter, which settles
 * domain, address, chain id and times at once. The nonce is not touched here: a wrong signature must not burn it.
 */
export const checkSignedMessage = async (ports: SignInPorts, signed: SignedMessage, now: number): Promise<Outcome<{ nonce: string }>> => {
  const nonce = ports.texts.nonceOf(signed.message);
  if (nonce === undefined) return fail('no_nonce_in_message');
  const record = await ports.nonces.find(nonce);
  if (!record || record.expiresAt <= now) return fail('nonce_expired');
  if (record.message !== signed.message || record.address !== signed.address) return fail('signature_invalid');
  const verdict = await ports.signatures.verify(signed);
  return verdict === 'valid' ? ok({ nonce }) : VERDICT_FAILURES[verdict];
};
