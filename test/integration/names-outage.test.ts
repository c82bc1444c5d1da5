// Names while Base does not answer, on the running stack: the operator's secret names a dead address, and nothing turns
// into a wrong 403 or 404, nor into a name given out unchecked.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Agent, newAgent, newWallet, register, signedMessage } from '#test/support/agents.ts';
import { baseOf } from '#test/support/base-chain.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const DEAD_URL = 'http://127.0.0.1:9';
/** Functions keep a secret for five minutes. */
const SECRET_SECONDS = 301;

interface ChainSecret {
  readonly rpc_urls: Readonly<Record<string, unknown>>;
  readonly platform_private_key?: string;
}

const secretFile = (): string => {
  const folder = join(running.current.stack.data_dir, 'secrets');
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) => /chain(\.json)?$/.test(file));
  if (name === undefined) throw new Error('no chain secret');
  return join(folder, name);
};

/** Changes the secret as an operator would, and waits until every function has forgotten the old one. */
const changeSecret = async (change: (secret: ChainSecret) => ChainSecret): Promise<void> => {
  const file = secretFile();
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as ChainSecret)));
  await running.current.control.advance(SECRET_SECONDS);
};

const withBaseAt =
  (urls: unknown) =>
  (secret: ChainSecret): ChainSecret => ({ ...secret, rpc_urls: { ...secret.rpc_urls, '8453': urls } });

let agent: Agent;
let other: Agent;
beforeAll(async () => {
  const base = baseOf(running.current);
  agent = await newAgent(running.current.api, await base.newNamedWallet('unreachable'));
  other = await newAgent(running.current.api);
}, 120_000);

describe('while Base is out of reach', () => {
  beforeAll(() => changeSecret(withBaseAt(DEAD_URL)));

  it.each([
    ['upgrading to an owned name', 'PUT', '/api/register/upgrade', { basename: 'unreachable.base.eth' }],
    ['upgrading to the name chosen on chain', 'PUT', '/api/register/upgrade', {}],
    ['adding an alias', 'POST', '/api/aliases', { handle: 'unreachable' }],
    ['registering with a name', 'POST', '/api/register', { basename: 'unreachable.base.eth' }],
  ])('%s is 503 with a hint', async (_what, method, path, body) => {
    const reply = await running.current.api.call(method, path, { token: agent.token, body });
    expect([reply.status, reply.body['code']]).toEqual([503, 'chain_unavailable']);
    expect(reply.body['hint']).toBeTruthy();
  });

  it('sending under another name is 503 and sends nothing', async () => {
    const { api } = running.current;
    const mail = { to: other.email, subject: 'Hello', body: 'x', from_handle: 'unreachable' };
    expect((await api.post('/api/send', mail, agent.token)).body['code']).toBe('chain_unavailable');
    expect((await api.get('/api/inbox', other.token)).body['total']).toBe(0);
  });

  it('listing names is 503, looking one up is unknown, a price and a purchase are 500', async () => {
    const { api } = running.current;
    expect((await api.get(`/api/register/basenames/${agent.wallet}`)).body['code']).toBe('chain_unavailable');
    const check = await api.get('/api/register/check/whatever');
    expect([check.status, check.body]).toMatchObject([200, { status: 'unknown', available_onchain: null, price_info: null }]);
    const wallet = await api.get(`/api/register/check/${other.wallet}`);
    expect([wallet.status, wallet.body]).toMatchObject([200, { status: 'unknown', handle: other.handle, note: expect.any(String) }]);
    expect([check, wallet].map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store']);
    expect((await api.get('/api/register/price/whatever')).body['code']).toBe('price_unavailable');
    expect((await api.get(`/api/register/buy-data/whatever?owner=${agent.wallet}`)).body['code']).toBe('price_unavailable');
    const bought = await api.call('PUT', '/api/register/upgrade', {
      token: agent.token,
      body: { auto_basename: true, basename_name: 'whatever' },
    });
    expect([bought.status, bought.body['code']]).toEqual([500, 'price_unavailable']);
  });

  it('key-pair wallets sign up under their address; contract wallets are told to come back', async () => {
    const { api } = running.current;
    const key = newWallet();
    const { status, body } = await register(api, key);
    expect([status, body['handle']]).toEqual([201, key.address.toLowerCase()]);
    expect(body['upgrade_hint']).toBeTruthy();
    const signed = await signedMessage(api, newWallet());
    const contract = await api.post('/api/auth/verify', {
      ...signed,
      signature: await newWallet().signMessage({ message: signed.message }),
    });
    expect([contract.status, contract.body['code']]).toEqual([503, 'chain_unavailable']);
  });

  it('mail, which needs no chain, goes on', async () => {
    const { api } = running.current;
    expect((await api.post('/api/send', { to: other.email, subject: 'Hello', body: 'x' }, agent.token)).status).toBe(200);
  });
});

describe('with a second address for Base', () => {
  it('the dead one does not matter', async () => {
    const { api, stack } = running.current;
    await changeSecret(withBaseAt([DEAD_URL, stack.chains['8453']?.rpc_url]));
    const reply = await api.call('PUT', '/api/register/upgrade', { token: agent.token, body: { basename: 'unreachable.base.eth' } });
    expect([reply.status, reply.body['handle']]).toEqual([200, 'unreachable']);
  });
});

describe('without a platform key', () => {
  it('the service buys nothing: 503, after the name itself was looked at', async () => {
    const { api } = running.current;
    await changeSecret(({ rpc_urls }) => ({ rpc_urls }));
    const ask = (name: string) =>
      api.call('PUT', '/api/register/upgrade', { token: other.token, body: { auto_basename: true, basename_name: name } });
    expect((await ask('-bad-')).body['code']).toBe('invalid_name');
    const refused = await ask('unpaid-name');
    expect([refused.status, refused.body['code']]).toEqual([503, 'auto_registration_unavailable']);
  });
});
