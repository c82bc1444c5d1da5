// Signs what IDKit needs to ask a human for a proof, in the layout of the World ID protocol: version, nonce, times and
// action, as an Ethereum personal message under the relying party's key.
import { randomBytes } from 'node:crypto';
import type { RequestSigner, SignedRequest } from '#domain/ports/world-id.ts';

/** A proof takes a human a minute or two. */
const LIFE_SECONDS = 300;
const MESSAGE_VERSION = 1;
const PRIVATE_KEY = /^(?:0x)?[0-9a-fA-F]{64}$/;

type Hex = `0x${string}`;

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

/** Hashes bytes to an element of the proof system's field: keccak-256 without its last byte, behind a zero. */
const hashToField = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const { keccak256 } = await import('#evm-runtime/viem.ts');
  const hash = Buffer.from(keccak256(bytes).slice(2), 'hex');
  return Buffer.concat([Buffer.alloc(1), hash.subarray(0, 31)]);
};

const bigEndian = (seconds: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(seconds));
  return bytes;
};

const messageOf = async (nonce: Uint8Array, createdAt: number, expiresAt: number, action: string): Promise<Uint8Array> =>
  Buffer.concat([
    Buffer.of(MESSAGE_VERSION),
    nonce,
    bigEndian(createdAt),
    bigEndian(expiresAt),
    await hashToField(Buffer.from(action, 'utf8')),
  ]);

const sign = async (key: string, action: string, now: number): Promise<SignedRequest> => {
  const { privateKeyToAccount } = await import('#evm-runtime/viem.ts');
  const nonce = await hashToField(randomBytes(32));
  const expiresAt = now + LIFE_SECONDS;
  const account = privateKeyToAccount(`0x${key.replace(/^0x/, '')}`);
  const signature = await account.signMessage({ message: { raw: await messageOf(nonce, now, expiresAt, action) } });
  return { signature, nonce: hex(nonce), createdAt: now, expiresAt };
};

/** The signer; `readKey` gives undefined where the operator has set none. */
export const openRequestSigner = (readKey: () => Promise<string | undefined>): RequestSigner => ({
  sign: async (action, now) => {
    const key = await readKey();
    return key !== undefined && PRIVATE_KEY.test(key) ? sign(key, action, now) : 'key-missing';
  },
  signalOf: async (wallet) => hex(await hashToField(Buffer.from(wallet.slice(2), 'hex'))),
});
