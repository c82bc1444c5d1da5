// Sign-in texts and key-pair signatures: what is built, what is accepted, and every spelling that must not be.
import { hashMessage as ethersHash, verifyMessage as ethersVerify, getAddress as ethersAddress } from 'ethers';
import { SiweMessage } from 'siwe';
import { serializeCompactSignature, parseSignature, signatureToCompactSignature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createChainClients } from '#adapters/evm/chain-clients.ts';
import { signInTexts } from '#adapters/evm/sign-in-texts.ts';
import { createSignatureVerifier } from '#adapters/evm/signature-verifier.ts';
import { getAddress, hashMessage, verifyMessage } from '#evm-runtime/ethers-shim.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const account = privateKeyToAccount(generatePrivateKey());
const address = account.address.toLowerCase() as Wallet;
const offline = createSignatureVerifier(createChainClients({}));

const text = await signInTexts.build({
  address,
  domain: 'agents.example',
  uri: 'https://api.agents.example',
  nonce: 'abcdefgh1234567890XYZ',
  issuedAt: 1_790_000_000,
  expiresAt: 1_790_000_300,
});
const signature = await account.signMessage({ message: text });

/** The same signature mirrored at the curve's half order: valid mathematics, refused by Ethereum. */
const mirrored = (): string => {
  const { r, s, yParity } = parseSignature(signature);
  const high = (ORDER - BigInt(s)).toString(16).padStart(64, '0');
  return `${r}${high}${yParity === 0 ? '1c' : '1b'}`;
};

describe('sign-in texts', () => {
  it('follow EIP-4361 with a checksummed address, chain 8453 and an expiration', () => {
    const parsed = new SiweMessage(text);
    expect(parsed).toMatchObject({
      address: account.address,
      domain: 'agents.example',
      uri: 'https://api.agents.example',
      version: '1',
      chainId: 8453,
      nonce: 'abcdefgh1234567890XYZ',
      issuedAt: '2026-09-21T14:13:20.000Z',
      expirationTime: '2026-09-21T14:18:20.000Z',
    });
    expect(text.startsWith(`agents.example wants you to sign in with your Ethereum account:\n${account.address}\n`)).toBe(true);
  });

  it('carry a statement when there is one', async () => {
    const fields = { address, domain: 'a.example', uri: 'https://a.example', nonce: 'n'.repeat(17), issuedAt: 1, expiresAt: 301 };
    expect(await signInTexts.build({ ...fields, statement: 'Welcome.' })).toContain('\n\nWelcome.\n\nURI:');
  });

  it('give their nonce back', () => {
    expect(signInTexts.nonceOf(text)).toBe('abcdefgh1234567890XYZ');
  });

  it.each([
    ['no nonce line', 'hello'],
    ['a nonce line within another', 'x Nonce: abcdefgh1234'],
    ['a short nonce', 'Nonce: abc'],
    ['odd characters', 'Nonce: abcdefgh-1234'],
    ['a nonce followed by more', 'Nonce: abcdefgh1234 5'],
    ['an oversized message', `${'a'.repeat(5_000)}\nNonce: abcdefgh1234`],
  ])('give none for %s', (_what, message) => {
    expect(signInTexts.nonceOf(message)).toBeUndefined();
  });
});

describe('key-pair signatures', () => {
  const verify = (given: string, message = text) => offline.verify({ address, message, signature: given });
  const { r, s, yParity } = parseSignature(signature);

  it.each([
    ['65 bytes, v 27/28', signature],
    ['v 0/1', `${signature.slice(0, 130)}0${yParity}`],
    ['upper-case hex', `0x${signature.slice(2).toUpperCase()}`],
    ['64 bytes (EIP-2098)', serializeCompactSignature(signatureToCompactSignature({ r, s, yParity: yParity ?? 0 }))],
  ])('are valid as %s', async (_what, given) => {
    expect(await verify(given)).toBe('valid');
  });

  it.each([
    ['the mirrored signature', mirrored()],
    ['v 29', `${signature.slice(0, 130)}1d`],
    ['zeros', `0x${'0'.repeat(130)}`],
    ['r and s beyond the curve', `0x${'f'.repeat(128)}1b`],
    ['nothing', ''],
    ['a bare prefix', '0x'],
    ['no prefix', signature.slice(2)],
    ['half a byte less', signature.slice(0, -1)],
    ['a megabyte', `0x${'ab'.repeat(500_000)}`],
    ['no hex', 'hello'],
  ])('are invalid as %s', async (_what, given) => {
    expect(await verify(given)).toBe('invalid');
  });

  it('are invalid for a text changed by one character', async () => {
    expect(await verify(signature, `${text} `)).toBe('invalid');
  });

  it('are invalid for another address', async () => {
    const other = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Wallet;
    expect(await offline.verify({ address: other, message: text, signature })).toBe('invalid');
  });
});

describe('with a dead RPC', () => {
  const chains = createChainClients({ 8453: { rpcUrls: ['http://127.0.0.1:9', 'http://127.0.0.1:9/second'] } });
  const verifier = createSignatureVerifier(chains);

  it('a key-pair signature is still valid', async () => {
    expect(await verifier.verify({ address, message: text, signature })).toBe('valid');
  });

  it('a signature that only the chain can judge is unavailable, not invalid', async () => {
    expect(await verifier.verify({ address, message: text, signature: `0x${'12'.repeat(200)}` })).toBe('unavailable');
  });

  it('the mirrored signature is invalid without asking', async () => {
    expect(await verifier.verify({ address, message: text, signature: mirrored() })).toBe('invalid');
  });
});

describe('the stand-in for ethers', () => {
  it('gives what ethers gives', () => {
    for (const message of ['', 'hello', 'grüße 日本語', new Uint8Array([0, 255, 10])])
      expect(hashMessage(message)).toBe(ethersHash(message));
    expect(getAddress(address)).toBe(ethersAddress(address));
    expect(verifyMessage(text, signature)).toBe(ethersVerify(text, signature));
    expect(verifyMessage(text, signature)).toBe(account.address);
  });

  it('refuses what ethers refuses', () => {
    const wrongChecksum = '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    for (const recover of [verifyMessage, ethersVerify]) {
      expect(() => recover(text, mirrored())).toThrow();
      expect(() => recover(text, '0x12')).toThrow();
    }
    expect(() => getAddress(wrongChecksum)).toThrow();
    expect(() => ethersAddress(wrongChecksum)).toThrow();
  });
});
