// One way of asking a chain: whatever keeps the answer from coming is `unavailable`, never an answer.
import type { ChainClient, ChainClients } from '#adapters/evm/chain-clients.ts';

/** Runs a question against a chain; `unavailable` when it is not configured, is another chain, or does not answer. */
export const askChain = async <T>(
  chains: () => Promise<ChainClients>,
  chainId: number,
  question: (client: ChainClient) => Promise<T>,
): Promise<T | 'unavailable'> => {
  try {
    const clients = await chains();
    const client = await clients.chainClient(chainId);
    if (client === undefined || !(await clients.isExpectedChain(chainId))) return 'unavailable';
    return await question(client);
  } catch {
    return 'unavailable';
  }
};
