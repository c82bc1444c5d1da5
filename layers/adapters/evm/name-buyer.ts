// The platform's own wallet on Base: tries, signs and sends the purchases that the service pays for.
import { askChain } from '#adapters/evm/ask-chain.ts';
import { type ChainClient, type ChainClients, SIGN_IN_CHAIN_ID } from '#adapters/evm/chain-clients.ts';
import { isRevert } from '#adapters/evm/rpc-errors.ts';
import type { NameBuyer, Purchase, SignedPurchase } from '#domain/ports/names.ts';
import type { RegisterCall } from '#domain/ports/wallets.ts';

/** Gas of the estimate plus a quarter: the state may move a little before the block. */
const GAS_PERCENT = 125n;
/** A base fee that rises fourfold within seconds has not been seen on Base; what is not needed is not paid. */
const FEE_HEADROOM = 4n;
/** Base takes blocks every two seconds; the rest of a request still has to fit behind this. */
const WAIT_MS = 12_000;
const POLL_MS = 300;
/** How often a used nonce without its receipt is looked at before it counts as gone to another transaction. */
const GONE_CHECKS = 4;
const LAG_TRIES = 8;
const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;
const UNFUNDED = /insufficient funds|exceeds the balance|exceeds balance|gas required exceeds/i;

type Hex = `0x${string}`;
type ReadKey = () => Promise<string | undefined>;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

const accountOf = async (readKey: ReadKey) => {
  const key = await readKey();
  if (key === undefined || !PRIVATE_KEY.test(key)) return undefined;
  const { privateKeyToAccount } = await import('#evm-runtime/viem.ts');
  return privateKeyToAccount(key as Hex);
};

const simulate = async (client: ChainClient, from: Hex, { to, data, value }: RegisterCall) => {
  try {
    await client.estimateGas({ account: from, to, data, value });
    return 'passes';
  } catch (error) {
    if (UNFUNDED.test(error instanceof Error ? error.message : '')) return 'unfunded';
    return (await isRevert(error)) ? 'refused' : 'unavailable';
  }
};

const sign = async (client: ChainClient, readKey: ReadKey, call: RegisterCall, nonce: number): Promise<SignedPurchase | 'unavailable'> => {
  const account = await accountOf(readKey);
  if (!account) return 'unavailable';
  const { to, data, value, chainId } = call;
  const [gas, block, tip] = await Promise.all([
    client.estimateGas({ account: account.address, to, data, value }),
    client.getBlock({ blockTag: 'latest' }),
    client.estimateMaxPriorityFeePerGas(),
  ]);
  const maxFeePerGas = (block.baseFeePerGas ?? 0n) * FEE_HEADROOM + tip;
  const fees = { maxFeePerGas, maxPriorityFeePerGas: tip };
  const { keccak256 } = await import('#evm-runtime/viem.ts');
  const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, value, gas: (gas * GAS_PERCENT) / 100n, ...fees });
  return { raw, hash: keccak256(raw) };
};

/** The receipt's verdict; undefined while there is none. Rejects when the node does not answer. */
const endOf = async (client: ChainClient, hash: string): Promise<'bought' | 'failed' | undefined> => {
  const { BaseError, TransactionReceiptNotFoundError } = await import('#evm-runtime/viem.ts');
  try {
    const { status } = await client.getTransactionReceipt({ hash: hash as Hex });
    return status === 'success' ? 'bought' : 'failed';
  } catch (error) {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof TransactionReceiptNotFoundError)) return undefined;
    throw error;
  }
};

type Sent = Pick<Purchase, 'raw' | 'hash' | 'nonce'>;

/** Whether the sender's nonce moved past this transaction. */
const isNonceUsed = async (client: ChainClient, { raw, nonce }: Sent): Promise<boolean> => {
  const { recoverTransactionAddress } = await import('#evm-runtime/viem.ts');
  const address = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
  return (await client.getTransactionCount({ address, blockTag: 'latest' })) > nonce;
};

const seeThrough = async (client: ChainClient, purchase: Sent): Promise<'bought' | 'failed' | 'pending'> => {
  // Sending again is harmless, and every refusal of it ("already known", "nonce too low") is judged by the receipt.
  await client.sendRawTransaction({ serializedTransaction: purchase.raw as Hex }).catch(() => undefined);
  const deadline = performance.now() + WAIT_MS;
  let goneChecks = 0;
  while (performance.now() < deadline) {
    const end = await endOf(client, purchase.hash).catch(() => undefined);
    if (end) return end;
    // A node that lags behind knows the nonce before the receipt: only a lasting absence means another transaction.
    if (await isNonceUsed(client, purchase).catch(() => false)) goneChecks += 1;
    if (goneChecks >= GONE_CHECKS) return (await endOf(client, purchase.hash).catch(() => 'pending' as const)) ?? 'failed';
    await pause();
  }
  return 'pending';
};

const nextNonce = async (client: ChainClient, address: Hex, least: number): Promise<number> => {
  let seen = 0;
  for (let attempt = 0; attempt < LAG_TRIES; attempt += 1) {
    seen = await client.getTransactionCount({ address, blockTag: 'pending' });
    if (seen >= least) return seen;
    await pause();
  }
  // Not a node that lags: the chain went back, and it alone counts.
  return seen;
};

/** Opens the platform's wallet; without a key in the secret it is not ready, and nothing is bought. */
export const createNameBuyer = (chains: () => Promise<ChainClients>, readKey: ReadKey): NameBuyer => {
  const ask = <T>(question: (client: ChainClient) => Promise<T>) => askChain(chains, SIGN_IN_CHAIN_ID, question);
  const asPlatform = <T>(question: (client: ChainClient, address: Hex) => Promise<T>): Promise<T | 'unavailable'> =>
    ask(async (client) => {
      const account = await accountOf(readKey);
      return account ? question(client, account.address) : 'unavailable';
    });
  return {
    isReady: async () => (await accountOf(readKey)) !== undefined,
    simulate: (call) => asPlatform((client, address) => simulate(client, address, call)),
    nextNonce: (least) => asPlatform((client, address) => nextNonce(client, address, least)),
    sign: (call, nonce) => ask((client) => sign(client, readKey, call, nonce)),
    seeThrough: async (purchase) => {
      const end = await ask((client) => seeThrough(client, purchase));
      return end === 'unavailable' ? 'pending' : end;
    },
  };
};
