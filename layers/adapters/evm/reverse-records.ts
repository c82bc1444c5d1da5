// What a wallet calls itself, read from Base directly: the gateway on Ethereum lags fresh registrations.
import { type BasenamesAddresses, ENS_REVERSE_ABI, REGISTRY_ABI, RESOLVER_ABI } from '#adapters/evm/basenames-contracts.ts';
import type { ChainClient } from '#adapters/evm/chain-clients.ts';
import { parseLabel, toBasename } from '#adapters/evm/label.ts';
import { isMissingContract, isRevert } from '#adapters/evm/rpc-errors.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const ZERO_ADDRESS = /^0x0{40}$/;
/** ENSIP-11: the coin type of an EVM chain has the top bit set. */
const COIN_TYPE_BIT = 0x80000000;

/** A reverse record names any text its owner likes; only a name of this registry counts. */
const labelOf = (name: string): string | undefined => {
  const label = parseLabel(name);
  return label !== undefined && name === toBasename(label) ? label : undefined;
};

/** Contracts that revert, or are not there, hold no record; a chain that does not answer is passed on. */
const orNone = async (read: Promise<string>): Promise<string> => {
  try {
    return await read;
  } catch (error) {
    if ((await isRevert(error)) || (await isMissingContract(error))) return '';
    throw error;
  }
};

const readEnsRecord = async (client: ChainClient, addresses: BasenamesAddresses, wallet: Wallet): Promise<string> => {
  const { parseAbi } = await import('#evm-runtime/viem.ts');
  const abi = parseAbi(ENS_REVERSE_ABI);
  return client.readContract({ address: addresses.ensReverseRegistrar, abi, functionName: 'nameForAddr', args: [wallet] });
};

/** The Basenames record: ENSIP-19 node `<hex>.<coin type>.reverse`, its resolver, and the name that holds. */
const readBasenamesRecord = async (client: ChainClient, addresses: BasenamesAddresses, wallet: Wallet): Promise<string> => {
  const { namehash, parseAbi } = await import('#evm-runtime/viem.ts');
  const coinType = (COIN_TYPE_BIT + client.chain.id).toString(16);
  const args = [namehash(`${wallet.slice(2)}.${coinType}.reverse`)] as const;
  const registryAbi = parseAbi(REGISTRY_ABI);
  const resolver = await client.readContract({ address: addresses.registry, abi: registryAbi, functionName: 'resolver', args });
  if (ZERO_ADDRESS.test(resolver)) return '';
  return client.readContract({ address: resolver, abi: parseAbi(RESOLVER_ABI), functionName: 'name', args });
};

/** The labels that a wallet's reverse records name, ENS first; unproven, as records outlive ownership. */
export async function* reverseLabels(client: ChainClient, addresses: BasenamesAddresses, wallet: Wallet): AsyncGenerator<string> {
  const ens = labelOf(await orNone(readEnsRecord(client, addresses, wallet)));
  if (ens !== undefined) yield ens;
  const basenames = labelOf(await orNone(readBasenamesRecord(client, addresses, wallet)));
  if (basenames !== undefined && basenames !== ens) yield basenames;
}
