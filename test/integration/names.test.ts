// The Names adapter against the Basenames replicas on a real chain: bought by our own call, owned, told as events, expired, and out of reach.
import { parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainClients } from '#adapters/evm/chain-clients.ts';
import { createNameEventSource } from '#adapters/evm/name-event-source.ts';
import { createNames } from '#adapters/evm/names.ts';
import type { Names } from '#domain/ports/wallets.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { BASENAMES } from '#infra/local/chains/networks.ts';
import { startBrokenRpc } from '#test/fixtures/broken-rpc.ts';
import { clientsFor, startTestChains, type TestChains } from '#test/integration/chains/chains-fixture.ts';

const DEAD_URL = 'http://127.0.0.1:9';
const SET_NAME = parseAbi(['function setName(string)']);
const TRANSFER = parseAbi(['function safeTransferFrom(address, address, uint256)']);

let world: TestChains;
let base: ReturnType<typeof clientsFor>;
let names: Names;
beforeAll(async () => {
  world = await startTestChains();
  base = clientsFor(world.chains, '8453');
  names = createNames(createChainClients({ 8453: { rpcUrls: [world.chains.urls['8453']] } }));
});
afterAll(() => world.stop());

const newWallet = async () => {
  const client = base.newWallet();
  await base.node.setBalance({ address: client.account.address, value: 10n ** 19n });
  return { client, wallet: client.account.address.toLowerCase() as Wallet };
};

/** Buys with nothing but what `registerCall` says, from the platform's account. */
const buy = async (label: string, owner: Wallet) => {
  const price = await names.price(label);
  if (price === 'unavailable') throw new Error('no price');
  const { to, data, value } = await names.registerCall(label, owner, price);
  return base.reader.waitForTransactionReceipt({ hash: await base.platform.sendTransaction({ to, data, value }) });
};

describe('names', () => {
  it('a free name has a price, no owner and no expiry', async () => {
    expect(await names.isAvailable('freename')).toBe(true);
    expect(await names.price('alice')).toBe(999_088_168_608_000n);
    expect(await names.ownerOf('freename')).toBe('none');
    expect(await names.expiry('freename')).toBe('none');
  });

  it('the call of registerCall, sent as it is, buys the name for its owner', async () => {
    const { wallet } = await newWallet();
    const receipt = await buy('bought', wallet);
    expect(receipt.status).toBe('success');
    expect(await names.ownerOf('bought')).toStrictEqual({ owner: wallet });
    expect(await names.isAvailable('bought')).toBe(false);
    const { timestamp } = await base.reader.getBlock({ blockNumber: receipt.blockNumber });
    expect(await names.expiry('bought')).toBe(Number(timestamp) + 31_536_000);
  });

  it('registerCall adds ten per cent and describes its arguments', async () => {
    const { wallet } = await newWallet();
    expect(await names.registerCall('described', wallet, 1_000n)).toMatchObject({
      chainId: 8453,
      to: BASENAMES.controller.toLowerCase(),
      value: 1_100n,
      durationSeconds: 31_536_000,
      args: { name: 'described', owner: wallet, duration: '31536000', resolver: BASENAMES.resolver.toLowerCase(), reverseRecord: false },
    });
  });

  it.each([
    ['the ENS registrar', BASENAMES.ensReverseRegistrar, 'viaens'],
    ['the Basenames registrar', BASENAMES.reverseRegistrar, 'viabase'],
  ])('reads the reverse record of %s, while the wallet owns the name', async (_what, registrar, label) => {
    const { client, wallet } = await newWallet();
    expect(await names.reverseName(wallet)).toBe('none');
    const setName = { address: registrar, abi: SET_NAME, functionName: 'setName', args: [`${label}.base.eth`] } as const;
    await base.reader.waitForTransactionReceipt({ hash: await client.writeContract(setName) });
    expect(await names.reverseName(wallet)).toBe('none');
    await buy(label, wallet);
    expect(await names.reverseName(wallet)).toStrictEqual({ label });
  });

  it('a reverse record of another registry, or of no name at all, counts for nothing', async () => {
    const { client, wallet } = await newWallet();
    await buy('elsewhere', wallet);
    for (const text of ['elsewhere.eth', 'elsewhere', 'Elsewhere.base.eth', '\u0000']) {
      const setName = { address: BASENAMES.ensReverseRegistrar, abi: SET_NAME, functionName: 'setName', args: [text] } as const;
      await base.reader.waitForTransactionReceipt({ hash: await client.writeContract(setName) });
      expect(await names.reverseName(wallet)).toBe('none');
    }
  });

  it('tells registrations and transfers as events, in the order of the chain', async () => {
    const clients = createChainClients({ 8453: { rpcUrls: [world.chains.urls['8453']] } });
    const source = createNameEventSource(async () => clients);
    const [first, second] = [await newWallet(), await newWallet()];
    const before = Number(await source.head());
    await buy('gives', first.wallet);
    const { labelhash, zeroAddress } = await import('viem');
    const token = labelhash('gives');
    const args = [first.wallet, second.wallet, BigInt(token)] as const;
    const transfer = { address: BASENAMES.registrar, abi: TRANSFER, functionName: 'safeTransferFrom', args } as const;
    await base.reader.waitForTransactionReceipt({ hash: await first.client.writeContract(transfer) });
    const events = await source.read(before + 1, Number(await source.head()));
    if (events === 'unavailable') throw new Error('no events');
    expect(events.registered).toStrictEqual([{ token, label: 'gives' }]);
    expect(events.transfers.map(({ token: hash, from, to }) => [hash, from, to])).toStrictEqual([
      [token, zeroAddress, first.wallet],
      [token, first.wallet, second.wallet],
    ]);
    const [mint, gift] = events.transfers;
    expect(gift?.position).toBeGreaterThan(mint?.position ?? Number.POSITIVE_INFINITY);
    const unreachable = createNameEventSource(async () => createChainClients({ 8453: { rpcUrls: [DEAD_URL] } }));
    expect([await unreachable.head(), await unreachable.read(0, 1)]).toStrictEqual(['unavailable', 'unavailable']);
  });
});

describe('out of reach', () => {
  const namesAt = (...rpcUrls: string[]) => createNames(createChainClients({ 8453: { rpcUrls } }));
  const expectUnavailable = async (given: Names) => {
    const { wallet } = await newWallet();
    const calls = [
      given.ownerOf('alice'),
      given.reverseName(wallet),
      given.isAvailable('alice'),
      given.price('alice'),
      given.expiry('alice'),
    ];
    expect(new Set(await Promise.all(calls))).toStrictEqual(new Set(['unavailable']));
  };

  it('everything is unavailable with no RPC, with a dead one, and with one of another chain', async () => {
    await expectUnavailable(namesAt());
    await expectUnavailable(namesAt(DEAD_URL));
    await expectUnavailable(namesAt(world.chains.urls['1']));
  });

  it.each([
    { code: -32_603, message: 'Internal error: upstream timed out' },
    { code: -32_005, message: 'limit exceeded' },
    { code: -32_000, message: 'header not found' },
  ])('an overloaded node ($code) is unavailable, never "not owned"', async (error) => {
    const broken = await startBrokenRpc(8453, error);
    try {
      await expectUnavailable(namesAt(broken.url));
    } finally {
      await broken.stop();
    }
  });

  it('a second URL takes over from a dead one', async () => {
    expect(await namesAt(DEAD_URL, world.chains.urls['8453']).ownerOf('nobodys')).toBe('none');
  });
});

describe('as time passes', () => {
  it('an expired name belongs to nobody and is not for sale during its grace', async () => {
    const { wallet } = await newWallet();
    await buy('lapses', wallet);
    await world.advance(31_536_000 + 60);
    expect(await names.ownerOf('lapses')).toBe('none');
    expect(await names.isAvailable('lapses')).toBe(false);
    await world.advance(91 * 86_400);
    expect(await names.isAvailable('lapses')).toBe(true);
  });
});
