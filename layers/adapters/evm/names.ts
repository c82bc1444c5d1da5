// Names on Base: who owns one, what a wallet calls itself, what a name costs, and the call that buys it.
import { askChain } from '#adapters/evm/ask-chain.ts';
import {
  BASENAMES_ON_BASE,
  type BasenamesAddresses,
  CONTROLLER_ABI,
  ONE_YEAR_SECONDS,
  REGISTRAR_ABI,
} from '#adapters/evm/basenames-contracts.ts';
import { type ChainClient, type ChainClients, SIGN_IN_CHAIN_ID } from '#adapters/evm/chain-clients.ts';
import { parseLabel } from '#adapters/evm/label.ts';
import { registerCall } from '#adapters/evm/register-call.ts';
import { reverseLabels } from '#adapters/evm/reverse-records.ts';
import { isRevert } from '#adapters/evm/rpc-errors.ts';
import type { Names } from '#domain/ports/wallets.ts';
import { parseWallet, type Wallet } from '#domain/values/wallet.ts';

export interface NamesSettings {
  /** Chain of the registry; Base unless told otherwise. */
  readonly chainId?: number;
  readonly addresses?: Partial<BasenamesAddresses>;
}

const tokenOf = async (label: string): Promise<bigint> => {
  const { labelhash } = await import('#evm-runtime/viem.ts');
  return BigInt(labelhash(label));
};

/** The reads of one registrar, each rejecting when the chain does not answer. */
const createReads = (addresses: BasenamesAddresses) => {
  const ownerOf = async (client: ChainClient, label: string): Promise<{ owner: Wallet } | 'none'> => {
    const { parseAbi } = await import('#evm-runtime/viem.ts');
    try {
      const abi = parseAbi(REGISTRAR_ABI);
      const args = [await tokenOf(label)] as const;
      const owner = parseWallet(await client.readContract({ address: addresses.registrar, abi, functionName: 'ownerOf', args }));
      return owner === undefined ? 'none' : { owner };
    } catch (error) {
      // The registrar reverts with `Expired` for lapsed names and for those that never were.
      if (await isRevert(error)) return 'none';
      throw error;
    }
  };

  const expiry = async (client: ChainClient, label: string): Promise<number | 'none'> => {
    const { parseAbi } = await import('#evm-runtime/viem.ts');
    const abi = parseAbi(REGISTRAR_ABI);
    const args = [await tokenOf(label)] as const;
    const expires = await client.readContract({ address: addresses.registrar, abi, functionName: 'nameExpires', args });
    return expires === 0n ? 'none' : Number(expires);
  };

  const isAvailable = async (client: ChainClient, label: string): Promise<boolean> => {
    const { parseAbi } = await import('#evm-runtime/viem.ts');
    const abi = parseAbi(CONTROLLER_ABI);
    return client.readContract({ address: addresses.controller, abi, functionName: 'available', args: [label] });
  };

  const price = async (client: ChainClient, label: string): Promise<bigint> => {
    const { parseAbi } = await import('#evm-runtime/viem.ts');
    const abi = parseAbi(CONTROLLER_ABI);
    const args = [label, BigInt(ONE_YEAR_SECONDS)] as const;
    return client.readContract({ address: addresses.controller, abi, functionName: 'registerPrice', args });
  };

  return { ownerOf, expiry, isAvailable, price };
};

type Reads = ReturnType<typeof createReads>;

const isOwnedBy = async (reads: Reads, client: ChainClient, label: string, wallet: Wallet): Promise<boolean> => {
  const found = await reads.ownerOf(client, label);
  return found !== 'none' && found.owner === wallet;
};

/** Reverse records outlive a sale and an expiry, so each counts only while the wallet still owns the name. */
const readReverseName = async (reads: Reads, client: ChainClient, addresses: BasenamesAddresses, wallet: Wallet) => {
  for await (const label of reverseLabels(client, addresses, wallet)) {
    if (await isOwnedBy(reads, client, label, wallet)) return { label };
  }
  return 'none' as const;
};

/** The `Names` port over a chain; every answer is `unavailable` when that chain is not configured or does not answer. */
export const createNames = (chains: ChainClients, settings: NamesSettings = {}): Names => {
  const chainId = settings.chainId ?? SIGN_IN_CHAIN_ID;
  const addresses: BasenamesAddresses = { ...BASENAMES_ON_BASE, ...settings.addresses };
  const reads = createReads(addresses);

  const ask = <T>(question: (client: ChainClient) => Promise<T>) => askChain(async () => chains, chainId, question);

  return {
    registrar: { chainId, address: addresses.controller },
    parseLabel,
    ownerOf: (label) => ask((client) => reads.ownerOf(client, label)),
    reverseName: (wallet) => ask((client) => readReverseName(reads, client, addresses, wallet)),
    isAvailable: (label) => ask((client) => reads.isAvailable(client, label)),
    price: (label) => ask((client) => reads.price(client, label)),
    expiry: (label) => ask((client) => reads.expiry(client, label)),
    registerCall: (label, owner, price) => registerCall({ addresses, chainId, label, owner, price }),
  };
};
