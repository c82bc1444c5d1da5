// Puts our contract replicas where production has the originals, on a bare chain.
import type { Address, Hex } from 'viem';
import contracts from './contracts.json' with { type: 'json' };
import { ContractWriter, giveEther } from './contract-writer.ts';
import type { ChainKeys } from './keys.ts';
import { BASE_COIN_TYPE, BASENAMES, type Network, USDC, WALLET_FACTORY } from './networks.ts';
import type { Rpc } from './rpc.ts';

const FAUCET_ETHER = 1_000_000n;
/** Buys sponsored names of at most 0.002 ETH. */
const PLATFORM_ETHER = 100n;
const FAUCET_USDC = 1_000_000_000n * 10n ** 6n;

/** Sets up one of the three EVM chains: balances, USDC, the wallet factory, and on Base the name contracts. */
export async function setUpEvmChain(network: Exclude<Network, 'tempo'>, rpc: Rpc, keys: ChainKeys): Promise<void> {
  const writer = await ContractWriter.at(rpc);
  await giveEther(rpc, keys.faucet.address, FAUCET_ETHER);
  await giveEther(rpc, keys.platform.address, PLATFORM_ETHER);
  await place(writer, WALLET_FACTORY, 'SmartWalletFactory');
  await place(writer, USDC[network], 'Usdc');
  await writer.send(USDC[network], 'function init(address minter, uint256 amount)', keys.faucet.address, FAUCET_USDC);
  if (network === '8453') await placeBasenames(writer);
  await writer.settle();
}

async function placeBasenames(writer: ContractWriter): Promise<void> {
  const { registry, registrar, controller, resolver, legacyResolver, reverseRegistrar, ensReverseRegistrar } = BASENAMES;
  await place(writer, registry, 'Registry');
  await place(writer, registrar, 'BaseRegistrar');
  await place(writer, controller, 'RegistrarController');
  await place(writer, resolver, 'Resolver');
  await place(writer, legacyResolver, 'Resolver');
  await place(writer, reverseRegistrar, 'ReverseRegistrar');
  await place(writer, ensReverseRegistrar, 'EnsReverseRegistrar');
  const pair = 'function init(address, address)';
  const triple = 'function init(address, address, address)';
  await writer.send(registry, pair, registrar, reverseRegistrar);
  await writer.send(registrar, pair, registry, controller);
  await writer.send(
    controller,
    'function init(address, address, address, address)',
    registrar,
    reverseRegistrar,
    ensReverseRegistrar,
    legacyResolver,
  );
  await writer.send(resolver, triple, registry, controller, reverseRegistrar);
  await writer.send(legacyResolver, triple, registry, controller, reverseRegistrar);
  await writer.send(reverseRegistrar, triple, registry, controller, legacyResolver);
  await writer.send(ensReverseRegistrar, 'function init(uint256)', BASE_COIN_TYPE);
}

async function place(writer: ContractWriter, address: Address, name: keyof typeof contracts): Promise<void> {
  await writer.place(address, contracts[name].code as Hex);
}
