// Every registration and transfer of names in a range of blocks, for the tail that keeps them in the table.
import { askChain } from '#adapters/evm/ask-chain.ts';
import { BASENAMES_ON_BASE, NAME_REGISTERED, TRANSFER } from '#adapters/evm/basenames-contracts.ts';
import { type ChainClient, type ChainClients, SIGN_IN_CHAIN_ID } from '#adapters/evm/chain-clients.ts';
import { parseLabel } from '#adapters/evm/label.ts';
import type { NameEvents, NameEventSource } from '#domain/ports/names.ts';
import { parseWallet } from '#domain/values/wallet.ts';

/** More logs than a block can hold, so that block and log index make one number that sorts. */
const LOGS_PER_BLOCK = 100_000;

type Range = { readonly fromBlock: bigint; readonly toBlock: bigint };

const registeredIn = async (client: ChainClient, range: Range): Promise<NameEvents['registered']> => {
  const { labelhash, parseAbi } = await import('#evm-runtime/viem.ts');
  const [event] = parseAbi([NAME_REGISTERED]);
  const { controller, pastControllers } = BASENAMES_ON_BASE;
  const logs = await client.getLogs({ address: [controller, ...pastControllers], event, strict: true, ...range });
  return logs.flatMap(({ args }) => {
    const label = parseLabel(args.name);
    // The text must hash to the token; anything else is no evidence of a name.
    return label !== undefined && label === args.name && labelhash(label) === args.label ? [{ token: args.label, label }] : [];
  });
};

const transfersIn = async (client: ChainClient, range: Range): Promise<NameEvents['transfers']> => {
  const { parseAbi } = await import('#evm-runtime/viem.ts');
  const [event] = parseAbi([TRANSFER]);
  const logs = await client.getLogs({ address: BASENAMES_ON_BASE.registrar, event, strict: true, ...range });
  return logs.flatMap(({ args, topics, blockNumber, logIndex }) => {
    const [from, to] = [parseWallet(args.from), parseWallet(args.to)];
    const position = Number(blockNumber) * LOGS_PER_BLOCK + logIndex;
    return from && to ? [{ token: topics[3], from, to, position }] : [];
  });
};

/** Reads from Base; `unavailable` also when a node finds the range too wide. */
export const createNameEventSource = (chains: () => Promise<ChainClients>): NameEventSource => {
  const ask = <T>(question: (client: ChainClient) => Promise<T>) => askChain(chains, SIGN_IN_CHAIN_ID, question);
  return {
    head: () => ask(async (client) => Number(await client.getBlockNumber())),
    read: (first, last) =>
      ask(async (client) => {
        const range = { fromBlock: BigInt(first), toBlock: BigInt(last) };
        const [registered, transfers] = await Promise.all([registeredIn(client, range), transfersIn(client, range)]);
        return { registered, transfers };
      }),
  };
};
