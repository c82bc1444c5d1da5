// Who signed a payment that is not on chain yet. The library takes the sender from the envelope, where anyone can write
// anyone's address: in the place of the sender, or as the owner of an access key. Calls that a wallet is still owed, stored
// replies and session tokens hang on the answer, so the signature itself is checked before anything is believed.
import { fail, FailureError } from '#domain/errors.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const library = () => import('#evm-runtime/mppx.ts');

type Library = Awaited<ReturnType<typeof library>>;
type Hex = `0x${string}`;
type ChainClient = Parameters<Library['verifyHash']>[0];

/** Tempo transactions begin with this byte; the other form that the library reads can never be sent. */
const TEMPO_TYPE = '0x76';
/** Place of a fee payer's signature among the fields, empty where the payer pays its own fee; what else stands there is not signed. */
const FEE_PAYER_FIELD = 11;
/** `0x` and 65 bytes: a plain secp256k1 signature, the only kind that names its signer by itself. */
const PLAIN_SIGNATURE_CHARACTERS = 132;

const UNPROVEN = fail('payment_required', {
  message: 'The signature of this payment does not prove who pays',
  hint: 'Sign the payment with a key of the paying wallet that is active already, or send it yourself and give its hash.',
});

/** The hash that was signed, and the signature; only for transactions that hold nothing unsigned besides. */
const signedParts = ({ fromRlp, toRlp, keccak256 }: Library, serialized: Hex): { readonly hash: Hex; readonly signature: Hex } => {
  if (!serialized.startsWith(TEMPO_TYPE)) throw new FailureError(UNPROVEN);
  const fields = fromRlp(`0x${serialized.slice(TEMPO_TYPE.length)}`, 'hex');
  const signature = Array.isArray(fields) ? fields.at(-1) : undefined;
  if (!Array.isArray(fields) || typeof signature !== 'string' || fields[FEE_PAYER_FIELD] !== '0x') throw new FailureError(UNPROVEN);
  const payload = toRlp(fields.slice(0, -1)).slice(2);
  return { hash: keccak256(`${TEMPO_TYPE}${payload}`), signature: signature as Hex };
};

const hasSigned = async (loaded: Library, client: ChainClient, sender: Wallet, serialized: Hex): Promise<boolean> => {
  const { hash, signature } = signedParts(loaded, serialized);
  if (signature.length !== PLAIN_SIGNATURE_CHARACTERS)
    return loaded.verifyHash(client, { address: sender, hash, signature, mode: 'allowAccessKey' });
  return (await loaded.recoverAddress({ hash, signature })).toLowerCase() === sender;
};

/**
 * Checks that `sender` signed a serialized transaction: by itself, by a passkey of its own, or by an access key that the
 * chain knows.
 *
 * @throws FailureError `payment_required` when nothing proves it.
 */
export const requireSigner = async (client: ChainClient, sender: Wallet, serialized: Hex): Promise<void> => {
  if (!(await hasSigned(await library(), client, sender, serialized))) throw new FailureError(UNPROVEN);
};
