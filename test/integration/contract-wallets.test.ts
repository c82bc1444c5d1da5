// Contract wallets sign in: deployed (ERC-1271), not yet deployed (ERC-6492), and with the chain out of reach.
import { encodeFunctionData, type Hex, parseAbi, parseSignature, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainClients } from '#adapters/evm/chain-clients.ts';
import { createSignatureVerifier } from '#adapters/evm/signature-verifier.ts';
import type { SignatureVerifier } from '#domain/ports/wallets.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { WALLET_FACTORY } from '#infra/local/chains/networks.ts';
import { startBrokenRpc } from '#test/fixtures/broken-rpc.ts';
import { clientsFor, startTestChains, type TestChains } from '#test/integration/chains/chains-fixture.ts';

const FACTORY = parseAbi([
  'function create(address, bytes32) returns (address)',
  'function walletOf(address, bytes32) view returns (address)',
]);
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const SALT: Hex = `0x${'00'.repeat(32)}`;
const message = 'hello';

let world: TestChains;
let base: ReturnType<typeof clientsFor>;
let verifier: SignatureVerifier;
beforeAll(async () => {
  world = await startTestChains();
  base = clientsFor(world.chains, '8453');
  verifier = createSignatureVerifier(createChainClients({ 8453: { rpcUrls: [world.chains.urls['8453']] } }));
});
afterAll(() => world.stop());

const newContractWallet = async () => {
  const owner = privateKeyToAccount(generatePrivateKey());
  const args = [owner.address, SALT] as const;
  const address = await base.reader.readContract({ address: WALLET_FACTORY, abi: FACTORY, functionName: 'walletOf', args });
  const factoryData = encodeFunctionData({ abi: FACTORY, functionName: 'create', args });
  const deploy = async () =>
    base.reader.waitForTransactionReceipt({ hash: await base.faucet.sendTransaction({ to: WALLET_FACTORY, data: factoryData }) });
  const signature = await owner.signMessage({ message });
  return { address: address.toLowerCase() as Wallet, owner, deploy, signature, factoryData };
};

const wrap = (signature: Hex, data: Hex): Hex => serializeErc6492Signature({ address: WALLET_FACTORY, data, signature });

describe('contract wallets', () => {
  it('deployed, sign by their owner', async () => {
    const wallet = await newContractWallet();
    await wallet.deploy();
    expect(await verifier.verify({ address: wallet.address, message, signature: wallet.signature })).toBe('valid');
    expect(await verifier.verify({ address: wallet.address, message: 'other', signature: wallet.signature })).toBe('invalid');
    const stranger = await privateKeyToAccount(generatePrivateKey()).signMessage({ message });
    expect(await verifier.verify({ address: wallet.address, message, signature: stranger })).toBe('invalid');
  });

  it('not yet deployed, sign with the recipe of their deployment', async () => {
    const wallet = await newContractWallet();
    expect(await verifier.verify({ address: wallet.address, message, signature: wallet.signature })).toBe('invalid');
    expect(await verifier.verify({ address: wallet.address, message, signature: wrap(wallet.signature, wallet.factoryData) })).toBe(
      'valid',
    );
    const other = await newContractWallet();
    expect(await verifier.verify({ address: wallet.address, message, signature: wrap(other.signature, other.factoryData) })).toBe(
      'invalid',
    );
  });

  it('deployed, may still send the wrapped form', async () => {
    const wallet = await newContractWallet();
    await wallet.deploy();
    expect(await verifier.verify({ address: wallet.address, message, signature: wrap(wallet.signature, wallet.factoryData) })).toBe(
      'valid',
    );
  });
});

describe('key-pair wallets', () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const address = account.address.toLowerCase() as Wallet;

  it('are not accepted with a mirrored signature by way of the chain', async () => {
    const { r, s, yParity } = parseSignature(await account.signMessage({ message }));
    const mirrored: Hex = `${r}${(ORDER - BigInt(s)).toString(16).padStart(64, '0')}${yParity === 0 ? '1c' : '1b'}`;
    expect(await verifier.verify({ address, message, signature: mirrored })).toBe('invalid');
    const { factoryData } = await newContractWallet();
    expect(await verifier.verify({ address, message, signature: wrap(mirrored, factoryData) })).toBe('invalid');
  });

  it.each(['0x00', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(300)}`, `0x${'6492'.repeat(80)}`])('%s is invalid', async (signature) => {
    expect(await verifier.verify({ address, message, signature })).toBe('invalid');
  });
});

describe('with the chain out of reach', () => {
  it('a contract signature is unavailable: node overloaded, node of another chain', async () => {
    const wallet = await newContractWallet();
    await wallet.deploy();
    const broken = await startBrokenRpc(8453, { code: -32_603, message: 'Internal error' });
    try {
      for (const rpcUrls of [[broken.url], [world.chains.urls['1']]]) {
        const unreachable = createSignatureVerifier(createChainClients({ 8453: { rpcUrls } }));
        expect(await unreachable.verify({ address: wallet.address, message, signature: wallet.signature })).toBe('unavailable');
      }
    } finally {
      await broken.stop();
    }
  });

  it('without an RPC, only key-pair wallets sign in', async () => {
    const wallet = await newContractWallet();
    await wallet.deploy();
    const offline = createSignatureVerifier(createChainClients({}));
    expect(await offline.verify({ address: wallet.address, message, signature: wallet.signature })).toBe('invalid');
  });
});
