// Money for tests on the running stack's chains: wallets that hold something, and payments that are confirmed.
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseUnits,
  type PrivateKeyAccount,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { USDC } from '#infra/local/chains/networks.ts';
import type { Stack } from '#infra/local/stack-settings.ts';

export const TOKEN = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
]);

export type ChainName = '8453' | '1' | '84532';

/** Clients of one chain of a stack. */
export const chainOf = (stack: Stack, network: ChainName) => {
  const url = stack.chains[network]?.rpc_url ?? '';
  const chain = defineChain({
    id: Number(network),
    name: `local ${network}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const shared = { chain, transport: http(url), pollingInterval: 20, cacheTime: 0 };
  return {
    reader: createPublicClient(shared),
    node: createTestClient({ ...shared, mode: 'anvil' }),
    wallet: (account: PrivateKeyAccount) => createWalletClient({ ...shared, account }),
    faucet: createWalletClient({ ...shared, account: privateKeyToAccount(stack.faucet_private_key as Hex) }),
  };
};

/** Mines until a transaction has the confirmations that the service asks for. */
export const confirm = async (stack: Stack, network: ChainName, hash: Hex, blocks = 3): Promise<void> => {
  const { reader, node } = chainOf(stack, network);
  const receipt = await reader.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
  await node.mine({ blocks });
};

/** Gives an account ETH and USDC of a chain. */
export const fund = async (stack: Stack, network: ChainName, account: PrivateKeyAccount, ether = '1'): Promise<void> => {
  const { reader, node, faucet } = chainOf(stack, network);
  await node.setBalance({ address: account.address, value: parseEther(ether) });
  const hash = await faucet.writeContract({
    address: USDC[network],
    abi: TOKEN,
    functionName: 'transfer',
    args: [account.address, parseUnits('1000', 6)],
  });
  await reader.waitForTransactionReceipt({ hash });
};

/** Sends ETH and waits for its confirmations. */
export const payEth = async (stack: Stack, network: ChainName, from: PrivateKeyAccount, to: string, ether: string): Promise<Hex> => {
  const hash = await chainOf(stack, network)
    .wallet(from)
    .sendTransaction({ to: to as Hex, value: parseEther(ether) });
  await confirm(stack, network, hash);
  return hash;
};

/** Sends USDC and waits for its confirmations. */
export const payUsdc = async (stack: Stack, network: ChainName, from: PrivateKeyAccount, to: string, amount: string): Promise<Hex> => {
  const wallet = chainOf(stack, network).wallet(from);
  const hash = await wallet.writeContract({
    address: USDC[network],
    abi: TOKEN,
    functionName: 'transfer',
    args: [to as Hex, parseUnits(amount, 6)],
  });
  await confirm(stack, network, hash);
  return hash;
};
