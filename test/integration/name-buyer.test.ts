// The platform's wallet against a real chain: what passes, what reverts, what waits, and what can never pay any more.
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainClients } from '#adapters/evm/chain-clients.ts';
import { createNameBuyer } from '#adapters/evm/name-buyer.ts';
import { createNames } from '#adapters/evm/names.ts';
import type { NameBuyer, SignedPurchase } from '#domain/ports/names.ts';
import type { Names, RegisterCall } from '#domain/ports/wallets.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { clientsFor, startTestChains, type TestChains } from './chains/chains-fixture.ts';

let world: TestChains;
let base: ReturnType<typeof clientsFor>;
let names: Names;
let buyer: NameBuyer;
beforeAll(async () => {
  world = await startTestChains();
  base = clientsFor(world.chains, '8453');
  const clients = createChainClients({ 8453: { rpcUrls: [world.chains.urls['8453']] } });
  names = createNames(clients);
  buyer = createNameBuyer(
    async () => clients,
    async () => world.chains.platformPrivateKey,
  );
});
afterAll(() => world.stop());

const newOwner = () => base.newWallet().account.address.toLowerCase() as Wallet;

const callFor = async (label: string, owner = newOwner()): Promise<RegisterCall> => {
  const price = await names.price(label);
  if (price === 'unavailable') throw new Error('no price');
  return names.registerCall(label, owner, price);
};

const signed = async (call: RegisterCall, nonce?: number): Promise<SignedPurchase & { nonce: number }> => {
  const next = nonce ?? (await buyer.nextNonce(0));
  const purchase = await buyer.sign(call, Number(next));
  if (purchase === 'unavailable') throw new Error('not signed');
  return { ...purchase, nonce: Number(next) };
};

describe('a purchase', () => {
  it('passes its trial, is bought, and costs nothing when it is sent again', async () => {
    const owner = newOwner();
    const call = await callFor('bought-once', owner);
    expect(await buyer.simulate(call)).toBe('passes');
    const purchase = await signed(call);
    expect(await buyer.seeThrough(purchase)).toBe('bought');
    const { address } = base.platform.account;
    const balance = await base.reader.getBalance({ address });
    expect(await buyer.seeThrough(purchase)).toBe('bought');
    expect(await base.reader.getBalance({ address })).toBe(balance);
    expect(await names.ownerOf('bought-once')).toStrictEqual({ owner });
  });

  it('that someone else was faster with fails, and its trial says so before', async () => {
    const call = await callFor('sniped');
    const late = await signed(call);
    const { to, data, value } = await callFor('sniped');
    await base.reader.waitForTransactionReceipt({ hash: await base.faucet.sendTransaction({ to, data, value }) });
    expect(await buyer.simulate(call)).toBe('refused');
    expect(await buyer.seeThrough(late)).toBe('failed');
  });

  it('whose nonce went to another transaction can never pay: failed', async () => {
    const purchase = await signed(await callFor('superseded'));
    const hash = await base.platform.sendTransaction({ to: base.faucet.account.address, value: 1n, nonce: purchase.nonce });
    await base.reader.waitForTransactionReceipt({ hash });
    expect(await buyer.seeThrough(purchase)).toBe('failed');
    expect(await names.ownerOf('superseded')).toBe('none');
  });

  it('that no block takes is pending, and bought when one does', async () => {
    const purchase = await signed(await callFor('slow-block'));
    await base.node.setAutomine(false);
    expect(await buyer.seeThrough(purchase)).toBe('pending');
    await base.node.setAutomine(true);
    await base.node.mine({ blocks: 1 });
    expect(await buyer.seeThrough(purchase)).toBe('bought');
  });

  it('that the platform cannot pay is unfunded', async () => {
    const { address } = base.platform.account;
    const call = await callFor('too-poor');
    const balance = await base.reader.getBalance({ address });
    await base.node.setBalance({ address, value: 1_000n });
    expect(await buyer.simulate(call)).toBe('unfunded');
    await base.node.setBalance({ address, value: balance });
    expect(await buyer.simulate(call)).toBe('passes');
  });
});

describe('the nonce', () => {
  it('is the chain’s own when it went back behind the one that was signed last', async () => {
    const now = await buyer.nextNonce(0);
    expect(await buyer.nextNonce(Number(now) + 3)).toBe(now);
  });
});

describe('out of reach', () => {
  it('nothing is decided', async () => {
    const clients = createChainClients({ 8453: { rpcUrls: ['http://127.0.0.1:9'] } });
    const unreachable = createNameBuyer(
      async () => clients,
      async () => world.chains.platformPrivateKey,
    );
    const call = await callFor('far-away');
    expect(await unreachable.isReady()).toBe(true);
    expect(await unreachable.simulate(call)).toBe('unavailable');
    expect(await unreachable.nextNonce(0)).toBe('unavailable');
    expect(await unreachable.sign(call, 0)).toBe('unavailable');
    expect(await unreachable.seeThrough({ raw: '0x', hash: `0x${'00'.repeat(32)}` as Hex, nonce: 0 })).toBe('pending');
  });

  it.each([undefined, '', '0x1234', 'not a key'])('a platform key of %s is none', async (key) => {
    expect(
      await createNameBuyer(
        async () => createChainClients({}),
        async () => key,
      ).isReady(),
    ).toBe(false);
  });
});
