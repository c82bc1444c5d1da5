// Verifies sign-in signatures: key-pair wallets offline, contract wallets (ERC-1271, ERC-6492) by asking Base.
import { type ChainClient, type ChainClients, SIGN_IN_CHAIN_ID } from '#adapters/evm/chain-clients.ts';
import { readEcdsaSignature } from '#adapters/evm/ecdsa-signature.ts';
import { isRevert } from '#adapters/evm/rpc-errors.ts';
import type { SignatureClaim, SignatureVerdict, SignatureVerifier } from '#domain/ports/wallets.ts';
import { isWallet } from '#domain/values/wallet.ts';

/** A counterfactual passkey wallet's signature takes about 3 KB. */
const SIGNATURE_LENGTH_MAX = 20_000;
const HEX_BYTES = /^0x(?:[0-9a-fA-F]{2})+$/;

/** What offline recovery tells: the signer is this wallet, is nobody we know, or the signature is a forged twin of a good one. */
type Recovery = 'signer' | 'malleated' | 'other';

/**
 * Judges what is inside an ERC-6492 wrapper too: the validator on chain would unwrap it, recover the signer itself and
 * accept a mirrored signature.
 */
const recover = async ({ address, message, signature }: SignatureClaim): Promise<Recovery> => {
  const { hashMessage, parseErc6492Signature, recoverAddress } = await import('#evm-runtime/viem.ts');
  try {
    const parsed = readEcdsaSignature(parseErc6492Signature(signature.toLowerCase() as `0x${string}`).signature);
    if (parsed === undefined) return 'other';
    const signer = await recoverAddress({ hash: hashMessage(message), signature: { r: parsed.r, s: parsed.s, yParity: parsed.yParity } });
    if (signer.toLowerCase() !== address) return 'other';
    return parsed.isLowS ? 'signer' : 'malleated';
  } catch {
    // r or s that are no curve values, or a wrapper around nothing.
    return 'other';
  }
};

/**
 * A client that remembers whether a call went unanswered. The library swallows that: with the RPC down it just says
 * "not valid", and a user of a contract wallet would be told that the signature is wrong.
 */
const observe = async (client: ChainClient): Promise<{ readonly observed: ChainClient; readonly wasUnanswered: () => boolean }> => {
  const { createPublicClient, custom } = await import('#evm-runtime/viem.ts');
  let unanswered = false;
  const request = async (call: { method: string; params?: unknown }): Promise<unknown> => {
    try {
      return await client.transport.request(call);
    } catch (error) {
      if (!(await isRevert(error))) unanswered = true;
      throw error;
    }
  };
  const observed = createPublicClient({ chain: client.chain, transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
  return { observed, wasUnanswered: () => unanswered };
};

const verifyOnChain = async (client: ChainClient, claim: SignatureClaim): Promise<SignatureVerdict> => {
  const { getAddress } = await import('#evm-runtime/viem.ts');
  const { observed, wasUnanswered } = await observe(client);
  try {
    const signature = claim.signature.toLowerCase() as `0x${string}`;
    const isValid = await observed.verifyMessage({ address: getAddress(claim.address), message: claim.message, signature });
    if (isValid) return 'valid';
  } catch {
    // Whether it was the signature or the network is told below.
  }
  return wasUnanswered() ? 'unavailable' : 'invalid';
};

/**
 * The verifier. Without an RPC URL for chain 8453 only key-pair wallets can sign in, and every other signature is invalid.
 * A key-pair signature that fails offline is asked about on chain too, since contract wallets may use 65 bytes as well.
 */
export const createSignatureVerifier = (chains: ChainClients): SignatureVerifier => {
  const askChain = async (claim: SignatureClaim): Promise<SignatureVerdict> => {
    try {
      const client = await chains.chainClient(SIGN_IN_CHAIN_ID);
      if (client === undefined) return 'invalid';
      if (!(await chains.isExpectedChain(SIGN_IN_CHAIN_ID))) return 'unavailable';
      return await verifyOnChain(client, claim);
    } catch {
      return 'unavailable';
    }
  };

  const verify = async (claim: SignatureClaim): Promise<SignatureVerdict> => {
    const isReadable = claim.signature.length <= SIGNATURE_LENGTH_MAX && HEX_BYTES.test(claim.signature);
    if (!isReadable || !isWallet(claim.address)) return 'invalid';
    const recovery = await recover(claim);
    if (recovery === 'signer') return 'valid';
    // Not asked about on chain: the library's fallback there accepts the mirrored signature.
    return recovery === 'malleated' ? 'invalid' : askChain(claim);
  };

  return { verify };
};
