// What agents do with ATTN and credits.
import type { MinedTransaction, TransactionHash } from '#domain/ports/payments.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import type { Random } from '../random.ts';
import { DEPOSIT_ADDRESS, WAVE_ID } from '../world/functions.ts';
import { someAgent, type World } from '../world/world.ts';
import type { Command } from './command.ts';
import { requestDeed } from './request.ts';

const post = (
  name: string,
  weight: number,
  area: 'attn' | 'airdrop',
  route: string,
  params?: Readonly<Record<string, string>>,
): Command => ({
  name,
  weight,
  choose: async (world, random) => {
    const request = { wallet: someAgent(world, random), area, method: 'POST', route, ...(params && { params }) } as const;
    return requestDeed(world, random, request, { hasKey: true });
  },
});

const setPrice: Command = {
  name: 'set price',
  weight: 2,
  choose: async (world, random) => {
    const body = { receive_price: 1 + random.below(10) };
    return requestDeed(
      world,
      random,
      { wallet: someAgent(world, random), area: 'attn', method: 'PUT', route: '/api/attn/settings', body },
      { hasKey: false },
    );
  },
};

const USDC_UNIT = 1_000_000n;

/** Puts a payment on the chain; ETH for credits and Pro, USDC for ATTN. */
const pay = (world: World, random: Random, from: Wallet, money: { readonly wei: bigint; readonly usdcUnits: bigint }): TransactionHash => {
  const hash: TransactionHash = `0x${random.bytes(32).toString('hex')}`;
  const block = BigInt(1000 + world.chain.payments.size);
  const transaction: MinedTransaction = {
    chainId: 8453,
    from,
    to: DEPOSIT_ADDRESS,
    wei: money.wei,
    hasSucceeded: true,
    callsContract: false,
    isBoundToChain: true,
    usdc: money.usdcUnits > 0n ? [{ from, to: DEPOSIT_ADDRESS, units: money.usdcUnits }] : [],
    blockNumber: block,
    blockHash: `0x${random.bytes(32).toString('hex')}`,
    minedAt: world.now,
    confirmations: 20n,
  };
  world.chain.payments.set(hash, transaction);
  return hash;
};

/** A fresh payment, or one that was there before and may have been used up, by itself or for another product. */
const paymentFor = (world: World, random: Random, wallet: Wallet): TransactionHash => {
  const own = [...world.chain.payments].filter(([, { from }]) => from === wallet).map(([hash]) => hash);
  if (own.length > 0 && random.chance(0.4)) return random.pick(own);
  const wei = random.pick([10n ** 14n, 3n * 10n ** 14n, 8n * 10n ** 15n, 9n * 10n ** 15n]);
  return pay(world, random, wallet, { wei, usdcUnits: random.chance(0.5) ? USDC_UNIT / 2n : 0n });
};

const buy = (name: string, area: 'attn' | 'payments', route: string, more: object = {}): Command => ({
  name,
  weight: 2,
  choose: async (world, random) => {
    const wallet = someAgent(world, random);
    const body = { tx_hash: paymentFor(world, random, wallet), ...more };
    return requestDeed(world, random, { wallet, area, method: 'POST', route, body }, { hasKey: true, about: body.tx_hash.slice(0, 8) });
  },
});

/** The chain takes a block back; the schedule finds out. */
const forgetBlock: Command = {
  name: 'reorganisation',
  weight: 1,
  choose: async (world, random) => {
    const blocks = [...world.chain.payments.values()].map(({ blockHash }) => blockHash);
    if (blocks.length === 0) return undefined;
    const block = random.pick(blocks);
    world.chain.forgotten.add(block);
    world.note(`  the chain forgets block ${block.slice(0, 8)}`);
    return undefined;
  },
};

export const moneyCommands: readonly Command[] = [
  post('claim', 6, 'attn', '/api/attn/claim'),
  post('claim wave', 3, 'airdrop', '/api/airdrop/{waveId}/claim', { waveId: WAVE_ID }),
  setPrice,
  buy('buy credits', 'payments', '/api/credits/buy'),
  buy('buy pro', 'payments', '/api/pro/buy'),
  buy('buy ATTN', 'attn', '/api/attn/buy', { amount_usdc: 0.5 }),
  forgetBlock,
];
