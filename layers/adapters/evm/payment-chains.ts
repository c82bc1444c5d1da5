// Reads the transactions behind payments. Every answer comes from the chain at that moment: a cached height would count
// confirmations that are four seconds old, and an outage must never read as "not known".
import { askChain } from '#adapters/evm/ask-chain.ts';
import type { ChainClient, ChainClients } from '#adapters/evm/chain-clients.ts';
import { USDC_ADDRESSES } from '#adapters/evm/usdc.ts';
import type {
  FoundTransaction,
  MinedTransaction,
  PaymentChainId,
  PaymentChains,
  TokenTransfer,
  TransactionHash,
} from '#domain/ports/payments.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import type { Log, Transaction, TransactionReceipt } from 'viem';

const TRANSFER_EVENT = ['event Transfer(address indexed from, address indexed to, uint256 value)'] as const;

const lower = (address: string): Wallet => address.toLowerCase() as Wallet;

/** Only logs of the real token count: any contract can write a log that looks the same. */
const usdcTransfers = async (logs: readonly Log[], chainId: PaymentChainId): Promise<TokenTransfer[]> => {
  const { parseAbi, parseEventLogs } = await import('#evm-runtime/viem.ts');
  const real = logs.filter((log) => log.address.toLowerCase() === USDC_ADDRESSES[chainId]);
  const parsed = parseEventLogs({ abi: parseAbi(TRANSFER_EVENT), logs: real, eventName: 'Transfer' });
  return parsed.map(({ args }) => ({ from: lower(args.from), to: lower(args.to), units: args.value }));
};

/** The answer, or the word for the library's "not found"; everything else is a call that nobody answered, and throws. */
const orMissing = async <T>(answer: Promise<T>): Promise<T | 'missing'> => {
  try {
    return await answer;
  } catch (error) {
    const { BlockNotFoundError, TransactionNotFoundError, TransactionReceiptNotFoundError } = await import('#evm-runtime/viem.ts');
    const isMissing = [BlockNotFoundError, TransactionNotFoundError, TransactionReceiptNotFoundError].some((kind) => error instanceof kind);
    if (isMissing) return 'missing';
    throw error;
  }
};

interface Mined {
  readonly chainId: PaymentChainId;
  readonly transaction: Transaction;
  readonly receipt: TransactionReceipt;
  readonly head: bigint;
  readonly minedAt: bigint;
}

const describe = async ({ chainId, transaction, receipt, head, minedAt }: Mined): Promise<MinedTransaction> => ({
  chainId,
  from: lower(transaction.from),
  to: transaction.to ? lower(transaction.to) : undefined,
  wei: transaction.value,
  hasSucceeded: receipt.status === 'success',
  callsContract: transaction.input !== '0x',
  isBoundToChain: transaction.chainId === chainId,
  usdc: await usdcTransfers(receipt.logs, chainId),
  blockNumber: receipt.blockNumber,
  blockHash: receipt.blockHash,
  minedAt: Number(minedAt),
  confirmations: head >= receipt.blockNumber ? head - receipt.blockNumber + 1n : 0n,
});

const find = async (client: ChainClient, hash: TransactionHash, chainId: PaymentChainId): Promise<FoundTransaction> => {
  const [transaction, receipt, head] = await Promise.all([
    orMissing(client.getTransaction({ hash })),
    orMissing(client.getTransactionReceipt({ hash })),
    client.getBlockNumber(),
  ]);
  if (transaction === 'missing') return 'unknown';
  if (receipt === 'missing') return 'pending';
  const block = await orMissing(client.getBlock({ blockHash: receipt.blockHash }));
  if (block === 'missing') return 'pending';
  return describe({ chainId, transaction, receipt, head, minedAt: block.timestamp });
};

const standsAt = async (client: ChainClient, blockNumber: bigint, blockHash: string): Promise<boolean | 'unavailable'> => {
  const block = await orMissing(client.getBlock({ blockNumber }));
  return block === 'missing' ? 'unavailable' : block.hash === blockHash;
};

/** The `PaymentChains` port over the configured chains, which are opened when a payment is first looked for. */
export const createPaymentChains = (clients: () => Promise<ChainClients>): PaymentChains => ({
  find: (hash, chainId) => askChain(clients, chainId, (client) => find(client, hash, chainId)),
  standsAt: (chainId, blockNumber, blockHash) => askChain(clients, chainId, (client) => standsAt(client, blockNumber, blockHash)),
});
