// The names a wallet may own, by events: the registrar cannot be enumerated, and its token ids are hashes.
import { type BasenamesAddresses, NAME_REGISTERED, TRANSFER } from '#adapters/evm/basenames-contracts.ts';
import type { ChainClient } from '#adapters/evm/chain-clients.ts';
import { parseLabel } from '#adapters/evm/label.ts';
import type { Wallet } from '#domain/values/wallet.ts';

export interface NameEventSettings {
  /** First block to look at. */
  readonly startBlock: bigint;
  /** Blocks per query; RPC providers cap it. */
  readonly blockRange: bigint;
}

/** A scan that would take more queries than this does not belong into a request. */
const QUERIES_MAX = 200n;
const TOKENS_MAX = 100;

interface Range {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

const rangesUpTo = (head: bigint, { startBlock, blockRange }: NameEventSettings): Range[] => {
  if ((head - startBlock) / blockRange >= QUERIES_MAX) throw new Error('the chain is too long for an event scan; raise the start block');
  const ranges: Range[] = [];
  for (let fromBlock = startBlock; fromBlock <= head; fromBlock += blockRange) {
    const last = fromBlock + blockRange - 1n;
    ranges.push({ fromBlock, toBlock: last < head ? last : head });
  }
  return ranges;
};

const controllersOf = (addresses: BasenamesAddresses): Wallet[] => [addresses.controller, ...addresses.pastControllers];

/** Labels in `NameRegistered` events, by their owner or by their hash. */
const registeredLabels = async (
  client: ChainClient,
  addresses: BasenamesAddresses,
  range: Range,
  filter: { readonly owner: Wallet } | { readonly label: `0x${string}`[] },
): Promise<string[]> => {
  const { labelhash, parseAbi } = await import('#evm-runtime/viem.ts');
  const [event] = parseAbi([NAME_REGISTERED]);
  const logs = await client.getLogs({ address: controllersOf(addresses), event, args: filter, strict: true, ...range });
  return logs.flatMap(({ args }) => {
    const label = parseLabel(args.name);
    // The text must hash to the token; anything else is no evidence of a name.
    return label !== undefined && label === args.name && labelhash(label) === args.label ? [label] : [];
  });
};

const receivedTokens = async (
  client: ChainClient,
  addresses: BasenamesAddresses,
  range: Range,
  wallet: Wallet,
): Promise<`0x${string}`[]> => {
  const { parseAbi } = await import('#evm-runtime/viem.ts');
  const [event] = parseAbi([TRANSFER]);
  const logs = await client.getLogs({ address: addresses.registrar, event, args: { to: wallet }, strict: true, ...range });
  return logs.map(({ topics }) => topics[3]);
};

/**
 * Labels that were registered for a wallet, or registered by anyone and later transferred to it. Candidates only:
 * the caller asks who owns them now. Rejects when the chain does not answer or the scan would be too long.
 */
export const labelsOf = async (
  client: ChainClient,
  addresses: BasenamesAddresses,
  settings: NameEventSettings,
  wallet: Wallet,
): Promise<string[]> => {
  const ranges = rangesUpTo(await client.getBlockNumber(), settings);
  const labels = new Set<string>();
  const tokens = new Set<`0x${string}`>();
  // One range after the other: a free RPC plan answers a burst with errors.
  for (const range of ranges) {
    for (const label of await registeredLabels(client, addresses, range, { owner: wallet })) labels.add(label);
    for (const token of await receivedTokens(client, addresses, range, wallet)) tokens.add(token);
  }
  const { labelhash } = await import('#evm-runtime/viem.ts');
  for (const label of labels) tokens.delete(labelhash(label));
  const unnamed = [...tokens].slice(0, TOKENS_MAX);
  for (const range of unnamed.length === 0 ? [] : ranges) {
    for (const label of await registeredLabels(client, addresses, range, { label: unnamed })) labels.add(label);
  }
  return [...labels];
};
