// Stands in for `ethers` under siwe, which needs three functions of it and would bring 560 KB along.
// The build aliases `ethers` to this file; results are those of ethers 6.
import { secp256k1 } from '@noble/curves/secp256k1';
import { getAddress as toChecksumAddress, hashMessage as hashPersonalMessage, hexToBytes, type Hex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

/** The EIP-55 form of an address; throws when it is malformed or carries a wrong checksum. */
export const getAddress = (address: string): string => {
  const checksummed = toChecksumAddress(address.toLowerCase());
  const isMixedCase = /[A-F]/.test(address.slice(2)) && /[a-f]/.test(address.slice(2));
  if (isMixedCase && checksummed !== address) throw new Error('bad address checksum');
  return checksummed;
};

/** The EIP-191 hash of a personal message, as `0x` hex; a string is hashed as UTF-8. */
export const hashMessage = (message: string | Uint8Array): Hex =>
  hashPersonalMessage(typeof message === 'string' ? message : { raw: message });

/** The EIP-55 address that signed a personal message with a 65-byte signature; throws on malformed ones and on a high s. */
export const verifyMessage = (message: string | Uint8Array, signature: string): string => {
  const bytes = hexToBytes(signature as Hex);
  const last = bytes[64];
  if (bytes.length !== 65 || last === undefined) throw new Error('invalid raw signature length');
  const recovery = last >= 27 ? last - 27 : last;
  const parsed = secp256k1.Signature.fromCompact(bytes.subarray(0, 64)).addRecoveryBit(recovery);
  if (parsed.hasHighS()) throw new Error('non-canonical s');
  const publicKey = parsed.recoverPublicKey(hashMessage(message).slice(2)).toRawBytes(false);
  return publicKeyToAddress(toHex(publicKey));
};

/** siwe looks for ethers 5's `ethers.utils` first and takes these when it is absent. */
export const ethers = { getAddress, hashMessage, verifyMessage };
