// Who signed a payment that is not sent yet, for every kind of key that a Tempo wallet has.
import { createClient, custom, type Hex, parseUnits } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { tempo } from 'viem/chains';
import { Account, P256 } from 'viem/tempo';
import { describe, expect, it } from 'vitest';
import { requireSigner } from '#adapters/mpp/proven-payer.ts';
import type { Wallet } from '#domain/values/wallet.ts';

/** A chain that knows no contract and no access key. */
const chain = createClient({
  chain: tempo,
  transport: custom({ request: async ({ method }) => (method === 'eth_getCode' ? '0x' : `0x${'00'.repeat(160)}`) }),
});

type Signer = ReturnType<typeof Account.fromSecp256k1> | ReturnType<typeof Account.fromP256>;

const signedBy = async (account: Signer): Promise<Hex> =>
  account.signTransaction({
    chainId: tempo.id,
    type: 'tempo',
    calls: [{ to: `0x${'ab'.repeat(20)}`, data: '0x1234' }],
    gas: 100_000n,
    maxFeePerGas: parseUnits('1', 9),
    nonce: 7,
    validBefore: 1_900_000_000,
  } as never) as Promise<Hex>;

const wallet = (address: string): Wallet => address.toLowerCase() as Wallet;
const verdict = (address: string, serialized: Hex) =>
  requireSigner(chain as never, wallet(address), serialized).then(
    () => 'proven',
    (error: Error) => error.name,
  );

const plain = Account.fromSecp256k1(generatePrivateKey());
const passkey = Account.fromP256(P256.randomPrivateKey());
const stranger = `0x${'77'.repeat(20)}`;

describe('the signer of a payment', () => {
  it('default: a plain key and a passkey prove their own wallet', async () => {
    expect(await verdict(plain.address, await signedBy(plain))).toBe('proven');
    expect(await verdict(passkey.address, await signedBy(passkey))).toBe('proven');
  });

  it('error: neither proves another wallet', async () => {
    expect(await verdict(stranger, await signedBy(plain))).toBe('FailureError');
    expect(await verdict(stranger, await signedBy(passkey))).toBe('FailureError');
  });

  it('error: an access key that the chain does not know proves nothing', async () => {
    const accessKey = Account.fromSecp256k1(generatePrivateKey(), { access: plain });

    expect(await verdict(plain.address, await signedBy(accessKey as Signer))).toBe('FailureError');
  });
});
