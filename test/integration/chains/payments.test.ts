// Money on the EVM chains: ETH, USDC, and payments that come out of contract wallets.
import {
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  parseEther,
  parseEventLogs,
  parseUnits,
  serializeErc6492Signature,
  toHex,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { USDC, WALLET_FACTORY } from '#infra/local/chains/networks.ts';
import { clientsFor, startTestChains, type TestChains } from './chains-fixture.ts';

const TOKEN = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function transfer(address to, uint256 value) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const FACTORY = parseAbi([
  'function create(address owner, bytes32 salt) returns (address)',
  'function walletOf(address owner, bytes32 salt) view returns (address)',
]);
const WALLET = parseAbi(['function execute(address to, uint256 value, bytes data) returns (bytes)']);

let world: TestChains;
beforeAll(async () => {
  world = await startTestChains();
});
afterAll(() => world.stop());

describe('the faucet', () => {
  test.each(['8453', '1', '84532'] as const)('hands out ETH and USDC on %s', async (network) => {
    const { reader, faucet, newWallet } = clientsFor(world.chains, network);
    const to = newWallet().account.address;
    expect(await reader.getChainId()).toBe(Number(network));

    await reader.waitForTransactionReceipt({ hash: await faucet.sendTransaction({ to, value: parseEther('2') }) });
    const hash = await faucet.writeContract({
      address: USDC[network],
      abi: TOKEN,
      functionName: 'transfer',
      args: [to, parseUnits('12.5', 6)],
    });
    const receipt = await reader.waitForTransactionReceipt({ hash });

    expect(await reader.getBalance({ address: to })).toBe(parseEther('2'));
    expect(await reader.readContract({ address: USDC[network], abi: TOKEN, functionName: 'balanceOf', args: [to] })).toBe(12_500_000n);
    expect(await reader.readContract({ address: USDC[network], abi: TOKEN, functionName: 'decimals' })).toBe(6);
    const [log] = parseEventLogs({ abi: TOKEN, logs: receipt.logs, eventName: 'Transfer' });
    expect(log?.args).toEqual({ from: faucet.account.address, to, value: 12_500_000n });
  });

  test('a payment gathers the confirmations that the service asks for, with nobody else on the chain', async () => {
    const { reader, faucet } = clientsFor(world.chains, '1');
    const hash = await faucet.sendTransaction({ to: world.chains.depositAddress, value: 1n });
    await reader.waitForTransactionReceipt({ hash });
    await expect.poll(() => reader.getTransactionConfirmations({ hash }), { timeout: 10_000 }).toBeGreaterThanOrEqual(3n);
  });

  test('nobody spends USDC that they do not have', async () => {
    const { reader, newWallet } = clientsFor(world.chains, '8453');
    const poor = newWallet().account;
    const transfer = { account: poor, address: USDC['8453'], abi: TOKEN, functionName: 'transfer', args: [poor.address, 1n] } as const;
    await expect(reader.simulateContract(transfer)).rejects.toThrow(/exceeds balance/);
  });
});

describe('contract wallets', () => {
  const message = 'It is I';
  const salt = keccak256('0x07');
  const setUp = async () => {
    const clients = clientsFor(world.chains, '8453');
    const owner = clients.newWallet();
    await clients.node.setBalance({ address: owner.account.address, value: parseEther('1') });
    const address = await clients.reader.readContract({
      address: WALLET_FACTORY,
      abi: FACTORY,
      functionName: 'walletOf',
      args: [owner.account.address, salt],
    });
    const deploy = async () => {
      const hash = await owner.writeContract({
        address: WALLET_FACTORY,
        abi: FACTORY,
        functionName: 'create',
        args: [owner.account.address, salt],
      });
      await clients.reader.waitForTransactionReceipt({ hash });
    };
    return { ...clients, owner, address, deploy };
  };
  const wrapped = (owner: Hex, signature: Hex) =>
    serializeErc6492Signature({
      address: WALLET_FACTORY,
      data: encodeFunctionData({ abi: FACTORY, functionName: 'create', args: [owner, salt] }),
      signature,
    });

  test('ERC-1271: the owner signs for a deployed wallet, nobody else does', async () => {
    const { reader, owner, address, deploy, newWallet } = await setUp();
    await deploy();
    const signature = await owner.signMessage({ message });
    expect(await reader.verifyMessage({ address, message, signature })).toBe(true);
    expect(await reader.verifyMessage({ address, message: 'Not I', signature })).toBe(false);
    const stranger = await newWallet().signMessage({ message });
    expect(await reader.verifyMessage({ address, message, signature: stranger })).toBe(false);
  });

  test('ERC-6492: the owner signs for a wallet that has no code yet', async () => {
    const { reader, owner, address, newWallet } = await setUp();
    expect(await reader.getCode({ address })).toBeUndefined();
    const signature = await owner.signMessage({ message });
    expect(await reader.verifyMessage({ address, message, signature: wrapped(owner.account.address, signature) })).toBe(true);
    const stranger = await newWallet().signMessage({ message });
    expect(await reader.verifyMessage({ address, message, signature: wrapped(owner.account.address, stranger) })).toBe(false);
  });

  test('its ETH payment is an inner call: the transaction itself goes to the wallet and moves nothing', async () => {
    const { reader, node, owner, address, deploy } = await setUp();
    await deploy();
    await node.setBalance({ address, value: parseEther('1') });
    const before = await reader.getBalance({ address: world.chains.depositAddress });
    const hash = await owner.writeContract({
      address,
      abi: WALLET,
      functionName: 'execute',
      args: [world.chains.depositAddress, 5n, toHex('')],
    });
    await reader.waitForTransactionReceipt({ hash });
    const transaction = await reader.getTransaction({ hash });
    expect([transaction.to, transaction.value]).toEqual([address.toLowerCase(), 0n]);
    expect(await reader.getBalance({ address: world.chains.depositAddress })).toBe(before + 5n);
  });
});
