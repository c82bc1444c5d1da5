// Brings the spellings of an ECDSA signature into one form: r, s and the parity of y.

/** `0x` hex of 32 bytes each. */
export interface EcdsaSignature {
  readonly r: `0x${string}`;
  readonly s: `0x${string}`;
  readonly yParity: 0 | 1;
  /** False for the mirrored twin that anyone can compute of a signature; Ethereum accepts low s only (EIP-2). */
  readonly isLowS: boolean;
}

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const PARITY_BIT = 1n << 255n;
const SIGNATURE = /^0x(?:[0-9a-f]{128}|[0-9a-f]{130})$/;
const PARITY_BY_V: Readonly<Record<string, 0 | 1>> = { '00': 0, '01': 1, '1b': 0, '1c': 1 };

const toWord = (value: bigint): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`;

/** 64 bytes, EIP-2098: the parity is the highest bit of s. */
const readCompact = (r: `0x${string}`, word: bigint): EcdsaSignature => {
  const s = word & (PARITY_BIT - 1n);
  return { r, s: toWord(s), yParity: word >= PARITY_BIT ? 1 : 0, isLowS: s <= HALF_ORDER };
};

/** Reads 65 bytes (v 0, 1, 27 or 28) or 64 bytes (EIP-2098), hex of either case; undefined for anything else. */
export const readEcdsaSignature = (signature: string): EcdsaSignature | undefined => {
  // The length first: lower-casing and matching a megabyte would be work for nothing.
  if (signature.length > 132) return undefined;
  const hex = signature.toLowerCase();
  if (!SIGNATURE.test(hex)) return undefined;
  const r: `0x${string}` = `0x${hex.slice(2, 66)}`;
  const s = BigInt(`0x${hex.slice(66, 130)}`);
  if (hex.length === 130) return readCompact(r, s);
  const yParity = PARITY_BY_V[hex.slice(130)];
  return yParity === undefined ? undefined : { r, s: toWord(s), yParity, isLowS: s <= HALF_ORDER };
};
