// What the domain asks of wallets and chains: sign-in texts, signatures, and the names that a wallet owns.
// Addresses are lower case everywhere; a chain that cannot be asked answers 'unavailable', never "no".
import type { Wallet } from '#domain/values/wallet.ts';

export interface SignInTextRequest {
  readonly address: Wallet;
  /** Host of the service's mailboxes; wallets show it to their owner. */
  readonly domain: string;
  readonly uri: string;
  /** At least 17 alphanumeric characters. */
  readonly nonce: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** One line. */
  readonly statement?: string;
}

export interface SignInTexts {
  /** The EIP-4361 text for chain 8453; throws when a field is malformed, as all of them are ours. */
  build(request: SignInTextRequest): Promise<string>;
  /** The nonce of a submitted text; undefined when it has no well-formed `Nonce:` line or is over 4 KB. */
  nonceOf(message: string): string | undefined;
}

export interface SignatureClaim {
  readonly address: Wallet;
  /** The text that was signed (EIP-191), verbatim. */
  readonly message: string;
  /** `0x` hex; anything malformed is an invalid signature. */
  readonly signature: string;
}

/** `unavailable`: only the chain can tell (contract wallets) and it does not answer. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unavailable';

export interface SignatureVerifier {
  /** Never throws: key-pair wallets offline first, then contract wallets when a chain is configured. */
  verify(claim: SignatureClaim): Promise<SignatureVerdict>;
}

/** A purchase as any wallet can send it: `to`, `data` and `value` need no change. */
export interface RegisterCall {
  readonly chainId: number;
  /** The registrar controller. */
  readonly to: Wallet;
  /** `0x` hex call data. */
  readonly data: `0x${string}`;
  /** Wei: the price and 10 %; what is over comes back to the sender. */
  readonly value: bigint;
  readonly durationSeconds: number;
  readonly args: {
    readonly name: string;
    readonly owner: Wallet;
    readonly duration: string;
    readonly resolver: Wallet;
    readonly data: readonly string[];
    readonly reverseRecord: boolean;
    readonly coinTypes: readonly string[];
    readonly signatureExpiry: string;
    readonly signature: string;
  };
}

/**
 * The name registry on Base. Every method takes a label that `parseLabel` accepted.
 * Labels come wrapped in objects, since `unavailable` is itself a label that someone may own.
 */
export interface Names {
  /** The contract that sells names. */
  readonly registrar: { readonly chainId: number; readonly address: Wallet };
  /** The label of `alice` or `alice.base.eth`; undefined when it is no name that this service takes (upper case included). */
  parseLabel(text: string): string | undefined;
  /** `none`: never registered, or expired. */
  ownerOf(label: string): Promise<{ readonly owner: Wallet } | 'none' | 'unavailable'>;
  /** The wallet's own choice of name, only when it still owns that name. */
  reverseName(address: Wallet): Promise<{ readonly label: string } | 'none' | 'unavailable'>;
  /** False also during the 90-day grace after expiry. */
  isAvailable(label: string): Promise<boolean | 'unavailable'>;
  /** Wei for one year, any premium included. */
  price(label: string): Promise<bigint | 'unavailable'>;
  /** Unix seconds; `none` when it was never registered. */
  expiry(label: string): Promise<number | 'none' | 'unavailable'>;
  /** The call that buys a label for `owner`; `price` in wei is what `price()` gave. */
  registerCall(label: string, owner: Wallet, price: bigint): Promise<RegisterCall>;
}
