// The text a wallet signs to sign in (EIP-4361), built by siwe, and the nonce line of a text that comes back.
import { SIGN_IN_CHAIN_ID } from '#adapters/evm/chain-clients.ts';
import type { SignInTextRequest, SignInTexts } from '#domain/ports/wallets.ts';

/** Texts of ours are under 600 characters; siwe's own grammar takes seconds for a megabyte of garbage. */
const MESSAGE_LENGTH_MAX = 4_096;
const NONCE_LINE = /^Nonce: ([A-Za-z0-9]{8,128})$/m;

const isoTime = (unixSeconds: number): string => new Date(unixSeconds * 1_000).toISOString();

const build = async (request: SignInTextRequest): Promise<string> => {
  const [{ SiweMessage }, { getAddress }] = await Promise.all([import('#evm-runtime/siwe.ts'), import('#evm-runtime/viem.ts')]);
  // siwe throws on an address without its EIP-55 checksum, and its constructor parses what it is about to write.
  const message = new SiweMessage({
    domain: request.domain,
    address: getAddress(request.address),
    uri: request.uri,
    version: '1',
    chainId: SIGN_IN_CHAIN_ID,
    nonce: request.nonce,
    issuedAt: isoTime(request.issuedAt),
    expirationTime: isoTime(request.expiresAt),
    ...(request.statement === undefined ? {} : { statement: request.statement }),
  });
  return message.prepareMessage();
};

const nonceOf = (message: string): string | undefined => (message.length > MESSAGE_LENGTH_MAX ? undefined : NONCE_LINE.exec(message)?.[1]);

export const signInTexts: SignInTexts = { build, nonceOf };
