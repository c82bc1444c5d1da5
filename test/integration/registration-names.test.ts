// Names at registration, on the running stack and its own Base: looked up, priced, bought by a wallet or by the service,
// and given as handles to their owners alone.
import type { PrivateKeyAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { newWallet, register, signedMessage } from '#test/support/agents.ts';
import type { ApiClient } from '#test/support/api-client.ts';
import { baseOf } from '#test/support/base-chain.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const lower = (account: PrivateKeyAccount): string => account.address.toLowerCase();

let addresses = 0;
/** An address of its own for each caller, so that limits by address meet only who means to meet them. */
const fromNewAddress = (): Record<string, string> => {
  addresses += 1;
  return { 'x-forwarded-for': `10.77.${addresses >> 8}.${addresses & 255}` };
};

/** A token for a wallet that has no account. */
const verified = async (api: ApiClient, key: PrivateKeyAccount): Promise<string> => {
  const reply = await api.post('/api/auth/verify', await signedMessage(api, key));
  expect(reply.status).toBe(200);
  return String(reply.body['token']);
};

const sponsor = async (api: ApiClient, key: PrivateKeyAccount, name: string, headers = fromNewAddress()) =>
  api.post('/api/register', { auto_basename: true, basename_name: name }, await verified(api, key), headers);

describe('looking a name up', () => {
  it('tells price and availability of a free name, and 400 for what is no name', async () => {
    const { api } = running.current;
    const price = await api.get('/api/register/price/alice');
    expect([price.status, price.body]).toEqual([
      200,
      { name: 'alice', basename: 'alice.base.eth', available: true, price_wei: '999088168608000', price_eth: '0.000999088168608' },
    ]);
    expect(price.headers.get('cache-control')).toBe('public, max-age=60');
    for (const name of ['ab', 'Alice', 'al_ice', '-alice', 'xn--abc', 'a'.repeat(33)]) {
      const refused = await api.get(`/api/register/price/${name}`);
      expect([refused.status, refused.body['code']], name).toEqual([400, 'invalid_name']);
    }
  });

  it('tells available, taken, reserved for the service, and owned elsewhere apart', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const free = await api.get('/api/register/check/somebody.base.eth');
    expect(free.body).toMatchObject({ status: 'available', registered: false, available_basemail: true, available_onchain: true });
    expect(free.body['price_info']).toMatchObject({
      available: true,
      duration_years: 1,
      chain_id: 8453,
      registrar: '0xa7d2607c6bd39ae9521e514026cbb078405ab322',
    });

    const owner = await base.newNamedWallet('elsewhere');
    const elsewhere = await api.get('/api/register/check/elsewhere');
    expect(elsewhere.body).toMatchObject({ status: 'reserved', registered: false, available_basemail: true, available_onchain: false });
    expect(elsewhere.body['note']).toContain('owned on chain');

    expect((await register(api, owner, { basename: 'elsewhere.base.eth' })).status).toBe(201);
    expect((await api.get('/api/register/check/elsewhere')).body).toMatchObject({
      status: 'taken',
      registered: true,
      available_basemail: false,
    });
    expect((await api.get('/api/register/check/postmaster')).body).toMatchObject({ status: 'reserved', available_basemail: false });
    expect((await api.get('/api/register/check/not a name')).status).toBe(400);
  });

  it('tells a wallet what it has or would get', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const fresh = newWallet();
    const unknown = await api.get(`/api/register/check/${fresh.address}`);
    expect(unknown.body).toMatchObject({
      wallet: lower(fresh),
      handle: lower(fresh),
      source: 'address',
      registered: false,
      has_basename_nft: false,
    });
    expect(unknown.body['next_steps']).toHaveLength(3);

    const named = await base.newNamedWallet('wouldget');
    await base.setPrimary(named, 'wouldget');
    const wouldGet = await api.get(`/api/register/check/${named.address.toUpperCase().replace('0X', '0x')}`);
    expect(wouldGet.body).toMatchObject({ handle: 'wouldget', basename: 'wouldget.base.eth', registered: false, has_basename_nft: true });
  });

  it('says the same of a wallet when it signs in', async () => {
    const { api, control } = running.current;
    const base = baseOf(running.current);
    const key = await base.newNamedWallet('seen-to-own');
    await control.runSchedules('on-names-due');
    await register(api, key);
    await base.setPrimary(key, 'seen-to-own');
    const [checked, signedIn] = [
      await api.get(`/api/register/check/${key.address}`),
      await api.post('/api/auth/verify', await signedMessage(api, key)),
    ];

    for (const { body } of [checked, signedIn]) expect(body).toMatchObject({ handle: lower(key), basename: null, has_basename_nft: true });
    expect(signedIn.body).toMatchObject({ suggested_handle: 'seen-to-own', upgrade_available: true });
  });
});

describe('a name bought by the wallet itself', () => {
  it('becomes the handle of its owner; a thief gets 403', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const owner = await base.newNamedWallet('bought-here');
    const thief = await register(api, newWallet(), { basename: 'bought-here.base.eth' });
    expect([thief.status, thief.body['code']]).toEqual([403, 'name_not_owned']);
    expect(thief.body['hint']).toContain('15 seconds');
    const { status, body } = await register(api, owner, { basename: 'bought-here.base.eth' });
    expect([status, body['handle'], body['basename'], body['source']]).toEqual([201, 'bought-here', 'bought-here.base.eth', 'basename']);
  });

  it('is bought with to, data and value of buy-data as they are', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const wallet = await base.newFundedWallet();
    const { status, body } = await api.get(`/api/register/buy-data/from-buy-data?owner=${wallet.address}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'from-buy-data',
      owner: lower(wallet),
      available: true,
      chain_id: 8453,
      duration_seconds: '31536000',
    });
    expect(BigInt(String(body['value'])) * 100n).toBeGreaterThanOrEqual(BigInt(String(body['price_wei'])) * 110n);
    await base.send(wallet, { to: body['to'] as `0x${string}`, data: body['data'] as `0x${string}`, value: BigInt(String(body['value'])) });
    expect(await base.ownerOf('from-buy-data')).toBe(lower(wallet));
    const registered = await api.post(
      '/api/register',
      { basename: 'from-buy-data.base.eth' },
      await verified(api, wallet),
      fromNewAddress(),
    );
    expect([registered.status, registered.body['handle']]).toEqual([201, 'from-buy-data']);

    const again = await api.get(`/api/register/buy-data/from-buy-data?owner=${wallet.address}`);
    expect([again.status, again.body['code']]).toEqual([409, 'name_unavailable']);
    expect((await api.get('/api/register/buy-data/no-owner-given')).status).toBe(400);
  });

  it('is found by the reverse record while the wallet owns it; a stale record gives the 0x handle', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const chosen = await base.newNamedWallet('chosen-name');
    await base.setPrimary(chosen, 'chosen-name');
    expect((await register(api, chosen)).body).toMatchObject({ handle: 'chosen-name', source: 'basename' });

    const seller = await base.newNamedWallet('sold-name');
    await base.setPrimary(seller, 'sold-name');
    await base.give(seller, newWallet().address, 'sold-name');
    expect((await register(api, seller)).body).toMatchObject({ handle: lower(seller), source: 'address', basename: null });
  });
});

describe('a name bought by the service', () => {
  it('is paid by the platform and owned by the wallet; its overpayment comes back', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const key = newWallet();
    const { status, body, headers } = await sponsor(api, key, 'twelveletter');
    expect([status, body['handle'], body['source']]).toEqual([201, 'twelveletter', 'basename']);
    expect(headers.get('ratelimit-policy')).toContain('"sponsored-basename";q=2;w=86400');
    expect(await base.ownerOf('twelveletter')).toBe(lower(key));
    expect(await base.sentCount(key.address)).toBe(0);
  });

  it('refuses dear, taken, malformed and missing names before anything is counted', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    await base.newNamedWallet('taken-before');
    const caller = fromNewAddress();
    const refusals = [
      ['abc', 400, 'name_too_expensive'],
      ['taken-before', 409, 'name_unavailable'],
      ['-bad', 400, 'invalid_name'],
      ['support', 409, 'handle_taken'],
    ] as const;
    for (const [name, status, code] of refusals) {
      const refused = await sponsor(api, newWallet(), name, caller);
      expect([refused.status, refused.body['code']], name).toEqual([status, code]);
    }
    const missing = await api.post('/api/register', { auto_basename: true }, await verified(api, newWallet()), caller);
    expect([missing.status, missing.body['code']]).toEqual([400, 'invalid_name']);
    expect((await sponsor(api, newWallet(), 'first-of-two', caller)).status).toBe(201);
    expect((await sponsor(api, newWallet(), 'second-of-two', caller)).status).toBe(201);
    const third = await sponsor(api, newWallet(), 'third-of-two', caller);
    expect([third.status, third.body['code']]).toEqual([429, 'rate_limited']);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('pays ten names at once in one lane of nonces, each to its own wallet', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const keys = Array.from({ length: 10 }, () => newWallet());
    const replies = await Promise.all(keys.map((key, index) => sponsor(api, key, `parallel-name-${index}`)));
    expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(await Promise.all(keys.map((_, index) => base.ownerOf(`parallel-name-${index}`)))).toEqual(keys.map(lower));
  });

  it('pays one name for one wallet that asks for it many times at once', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const key = newWallet();
    expect((await sponsor(api, newWallet(), 'asked-just-once')).status).toBe(201);
    const [platform] = await base.buyersOf('asked-just-once');
    const before = await base.sentCount(platform ?? '0x');
    const replies = await Promise.all(Array.from({ length: 6 }, () => sponsor(api, key, 'asked-six-times')));
    expect(replies.map(({ status }) => status).filter((status) => status === 201).length).toBeGreaterThanOrEqual(1);
    expect(await base.ownerOf('asked-six-times')).toBe(lower(key));
    expect(await base.buyersOf('asked-six-times')).toEqual([platform]);
    expect((await base.sentCount(platform ?? '0x')) - before).toBe(1);
    expect((await api.get('/api/identity/asked-six-times')).body).toMatchObject({ wallet: lower(key) });
  });
});
