// Contract wallets sign in to the running stack: deployed (ERC-1271), by the recipe of their deployment (ERC-6492), and
// with the same rules for nonces as everyone.
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  serializeErc6492Signature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { WALLET_FACTORY } from '#infra/local/chains/networks.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const FACTORY = parseAbi([
  'function create(address, bytes32) returns (address)',
  'function walletOf(address, bytes32) view returns (address)',
]);
const SALT: Hex = `0x${'00'.repeat(32)}`;

const newContractWallet = async () => {
  const { stack } = running.current;
  const url = stack.chains['8453']?.rpc_url ?? '';
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({ id: 8453, name: 'local Base', nativeCurrency, rpcUrls: { default: { http: [url] } } });
  const reader = createPublicClient({ chain, transport: http(url), pollingInterval: 20 });
  const faucet = createWalletClient({ chain, transport: http(url), account: privateKeyToAccount(stack.faucet_private_key as Hex) });
  const owner = privateKeyToAccount(generatePrivateKey());
  const args = [owner.address, SALT] as const;
  const address = await reader.readContract({ address: WALLET_FACTORY, abi: FACTORY, functionName: 'walletOf', args });
  const recipe = encodeFunctionData({ abi: FACTORY, functionName: 'create', args });
  const deploy = async () => reader.waitForTransactionReceipt({ hash: await faucet.sendTransaction({ to: WALLET_FACTORY, data: recipe }) });
  return { owner, address, recipe, deploy };
};

const startedFor = async (address: string): Promise<string> =>
  String((await running.current.api.post('/api/auth/start', { address })).body['message']);

describe('a contract wallet', () => {
  it('signs in by its owner once deployed, gets a mailbox, and cannot use the nonce twice', async () => {
    const { api } = running.current;
    const { owner, address, deploy } = await newContractWallet();
    await deploy();
    const message = await startedFor(address);
    const signed = { address, message, signature: await owner.signMessage({ message }) };
    const { status, body } = await api.post('/api/auth/agent-register', signed);
    expect([status, body['handle'], body['wallet']]).toEqual([201, address.toLowerCase(), address.toLowerCase()]);
    expect((await api.get('/api/inbox', String(body['token']))).status).toBe(200);
    expect((await api.post('/api/auth/agent-register', signed)).body['code']).toBe('nonce_expired');
  });

  it('signs in before it is deployed, with the recipe of its deployment alone', async () => {
    const { api } = running.current;
    const { owner, address, recipe } = await newContractWallet();
    const message = await startedFor(address);
    const signature = await owner.signMessage({ message });
    expect((await api.post('/api/auth/verify', { address, message, signature })).body['code']).toBe('signature_invalid');
    const wrapped = serializeErc6492Signature({ address: WALLET_FACTORY, data: recipe, signature });
    expect((await api.post('/api/auth/agent-register', { address, message, signature: wrapped })).status).toBe(201);
  });

  it('is not entered by the key of someone else', async () => {
    const { api } = running.current;
    const { address, deploy } = await newContractWallet();
    await deploy();
    const message = await startedFor(address);
    const signature = await privateKeyToAccount(generatePrivateKey()).signMessage({ message });
    const refused = await api.post('/api/auth/agent-register', { address, message, signature });
    expect([refused.status, refused.body['code']]).toEqual([401, 'signature_invalid']);
  });
});
