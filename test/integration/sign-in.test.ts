// Sign-in on the running stack: the order of its checks, single use of nonces, tokens, keys and registration.
import { describe, expect, it } from 'vitest';
import { newAgent, newWallet, register, signedMessage } from '#test/support/agents.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();

describe('signing in', () => {
  it('makes an account with 10 credits, 50 ATTN and a 0x handle for a new wallet', async () => {
    const { api } = running.current;
    const key = newWallet();
    const { status, body } = await register(api, key);
    expect(status).toBe(201);
    expect(body).toMatchObject({ registered: true, new_account: true, source: 'address', tier: 'free', basename: null });
    expect(body['handle']).toBe(key.address.toLowerCase());
    expect(body['email']).toBe(`${key.address.toLowerCase()}@agents.localhost.test`);
    expect(body['upgrade_hint']).toBeTruthy();
  });

  it('answers 200 with a fresh token to a wallet that has an account', async () => {
    const { api } = running.current;
    const key = newWallet();
    const first = await register(api, key);
    const second = await register(api, key);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body['new_account']).toBe(false);
    expect(second.body['token']).not.toBe(first.body['token']);
  });

  it('lets one of twelve racing uses of a nonce through and answers nonce_expired to the others', async () => {
    const { api } = running.current;
    const { key } = await newAgent(api);
    const signed = await signedMessage(api, key);
    const replies = await Promise.all(Array.from({ length: 12 }, () => api.post('/api/auth/agent-register', signed)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 401)]);
    const codes = new Set(replies.filter(({ status }) => status === 401).map(({ body }) => body['code']));
    expect([...codes]).toEqual(['nonce_expired']);
  });

  it.each([
    ['a changed text', (message: string) => `${message} `, 'signature_invalid'],
    ['a foreign domain', (message: string) => message.replace(/^\S+/, 'evil.example'), 'signature_invalid'],
    ['no nonce', (message: string) => message.replace(/\nNonce: .*/, ''), 'no_nonce_in_message'],
    ['an unknown nonce', (message: string) => message.replace(/Nonce: .*/, 'Nonce: abcdefghijklmnopqrstuvwx'), 'nonce_expired'],
  ])('refuses %s', async (_name, change, code) => {
    const { api } = running.current;
    const key = newWallet();
    const { address, message } = await signedMessage(api, key);
    const changed = change(message);
    const { status, body } = await api.post('/api/auth/verify', {
      address,
      message: changed,
      signature: await key.signMessage({ message: changed }),
    });
    expect([status, body['code']]).toEqual([401, code]);
    expect(body['hint']).toBeTruthy();
  });

  it('refuses the signature of another key and does not burn the nonce by it', async () => {
    const { api } = running.current;
    const key = newWallet();
    const signed = await signedMessage(api, key);
    const forged = await api.post('/api/auth/verify', { ...signed, signature: await newWallet().signMessage({ message: signed.message }) });
    expect([forged.status, forged.body['code']]).toEqual([401, 'signature_invalid']);
    expect((await api.post('/api/auth/verify', signed)).status).toBe(200);
  });

  it('refuses a nonce after 300 seconds', async () => {
    const { api, control } = running.current;
    const signed = await signedMessage(api, newWallet());
    await control.advance(301);
    const { status, body } = await api.post('/api/auth/verify', signed);
    expect([status, body['code']]).toEqual([401, 'nonce_expired']);
  });

  it('verifies an unregistered wallet without making an account, and registers it by that token', async () => {
    const { api } = running.current;
    const key = newWallet();
    const verified = await api.post('/api/auth/verify', await signedMessage(api, key));
    expect(verified.body).toMatchObject({ registered: false, handle: '', suggested_handle: key.address.toLowerCase() });
    const token = String(verified.body['token']);
    expect((await api.get('/api/inbox', token)).body['code']).toBe('no_handle');
    const registered = await api.post('/api/register', {}, token);
    expect(registered.status).toBe(201);
    const again = await api.post('/api/register', {}, token);
    expect([again.status, again.body['existing_handle']]).toEqual([409, key.address.toLowerCase()]);
  });

  it('treats a wallet in three spellings as one account', async () => {
    const { api } = running.current;
    const key = newWallet();
    for (const address of [key.address, key.address.toLowerCase(), `0x${key.address.slice(2).toUpperCase()}`]) {
      const { body } = await api.post('/api/auth/start', { address });
      const message = String(body['message']);
      const reply = await api.post(
        '/api/auth/agent-register',
        { address, message, signature: await key.signMessage({ message }) },
        undefined,
        { 'x-forwarded-for': '192.0.2.77' },
      );
      expect(reply.body['handle']).toBe(key.address.toLowerCase());
    }
    expect((await api.get(`/api/identity/wallet/${key.address}`)).body['wallet']).toBe(key.address.toLowerCase());
  });

  it('serves the deprecated pair with its deprecation headers', async () => {
    const { api } = running.current;
    const key = newWallet();
    const nonce = await api.get('/api/auth/nonce');
    expect(nonce.headers.get('deprecation')).toBe('@1787875200');
    expect(nonce.headers.get('sunset')).toBe('Sat, 28 Aug 2027 00:00:00 GMT');
    const built = await api.post('/api/auth/message', { address: key.address, nonce: nonce.body['nonce'] });
    const message = String(built.body['message']);
    const verified = await api.post('/api/auth/verify', { address: key.address, message, signature: await key.signMessage({ message }) });
    expect(verified.status).toBe(200);
    expect((await api.post('/api/auth/message', { address: key.address, nonce: 'unknownunknownunknown' })).status).toBe(400);
  });
});

describe('the register limit', () => {
  it('refuses the sixth new account of an address and still signs existing wallets in', async () => {
    const { api } = running.current;
    const from = { 'x-forwarded-for': '198.51.100.9' };
    const post = async (key = newWallet()) => api.post('/api/auth/agent-register', await signedMessage(api, key), undefined, from);
    const known = newWallet();
    const first = await post(known);
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([201, '4']);
    for (let i = 0; i < 4; i += 1) expect((await post()).status).toBe(201);
    const sixth = await post();
    expect([sixth.status, sixth.body['code'], sixth.headers.get('ratelimit-limit'), sixth.headers.get('ratelimit-remaining')]).toEqual([
      429,
      'rate_limited',
      '5',
      '0',
    ]);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
    const login = await post(known);
    expect([login.status, login.headers.get('ratelimit-remaining'), login.headers.get('retry-after')]).toEqual([200, '0', null]);
  });
});

describe('credentials', () => {
  it('exchanges a refresh token, and rotation kills the old one', async () => {
    const { api } = running.current;
    const agent = await newAgent(api);
    const plain = await api.post('/api/auth/refresh', { refresh_token: agent.refreshToken });
    expect(plain.body['refresh_token']).toBeUndefined();
    const rotated = await api.post('/api/auth/refresh', { refresh_token: agent.refreshToken, rotate: true });
    expect((await api.get('/api/inbox', String(rotated.body['token']))).status).toBe(200);
    expect((await api.post('/api/auth/refresh', { refresh_token: agent.refreshToken })).status).toBe(401);
    expect((await api.post('/api/auth/refresh', { refresh_token: rotated.body['refresh_token'] })).status).toBe(200);
    expect((await api.post('/api/auth/refresh', {})).status).toBe(400);
  });

  it('refuses a session token after 24 hours', async () => {
    const { api, control } = running.current;
    const agent = await newAgent(api);
    await control.advance(24 * 3600 + 1);
    expect((await api.get('/api/inbox', agent.token)).status).toBe(401);
  });

  it('takes an API key until it is revoked, lists only its prefix, and shows its last use', async () => {
    const { api } = running.current;
    const agent = await newAgent(api);
    const created = await api.post('/api/keys/create', { name: 'ci' }, agent.token);
    const secret = String(created.body['api_key']);
    expect(secret).toMatch(/^bm_live_[A-Za-z0-9]{32,}$/);
    expect((await api.get('/api/inbox', secret)).status).toBe(200);
    const { body } = await api.get('/api/keys/list', agent.token);
    expect(JSON.stringify(body)).not.toContain(secret);
    expect(body['keys']).toMatchObject([{ id: created.body['id'], name: 'ci', revoked_at: null }]);
    expect((body['keys'] as { last_used_at: number }[])[0]?.last_used_at).toBeGreaterThan(0);
    expect((await api.post('/api/keys/revoke', { id: created.body['id'] }, agent.token)).status).toBe(200);
    expect((await api.get('/api/inbox', secret)).status).toBe(401);
    expect((await api.post('/api/keys/revoke', { id: created.body['id'] }, agent.token)).status).toBe(200);
    expect((await api.post('/api/keys/revoke', { id: 'nothing' }, agent.token)).status).toBe(404);
  });

  it('lists a revoked key for 90 days', async () => {
    const { api, control } = running.current;
    const agent = await newAgent(api);
    const created = await api.post('/api/keys/create', { name: 'old' }, agent.token);
    await api.post('/api/keys/revoke', { id: created.body['id'] }, agent.token);
    const listed = async ({ token }: { token: string }) => (await api.get('/api/keys/list', token)).body['keys'];
    expect(await listed(agent)).toMatchObject([{ name: 'old', revoked_at: expect.any(Number) }]);
    await control.advance(91 * 86_400);
    expect(await listed(await newAgent(api, agent.key))).toEqual([]);
  });

  it('replays the same key for a repeated Idempotency-Key', async () => {
    const { api } = running.current;
    const agent = await newAgent(api);
    const once = { 'idempotency-key': 'make-one-key' };
    const first = await api.post('/api/keys/create', { name: 'a' }, agent.token, once);
    const second = await api.post('/api/keys/create', { name: 'a' }, agent.token, once);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await api.post('/api/keys/create', { name: 'b' }, agent.token, once)).status).toBe(422);
  });

  it.each(['', 'Bearer', 'Bearer nonsense', 'Bearer bm_live_unknown', 'Basic YTpi', `Bearer ${'a'.repeat(3000)}`])(
    'answers 401 to the credential %j',
    async (authorization) => {
      const { api } = running.current;
      const { status, body } = await api.call('GET', '/api/inbox', { headers: { authorization } });
      expect([status, body['code']]).toEqual([401, 'unauthorized']);
    },
  );
});

describe('identity', () => {
  it('finds an agent by handle in any case and by wallet, and counts agents', async () => {
    const { api, control } = running.current;
    const agent = await newAgent(api);
    const byHandle = await api.get(`/api/identity/${agent.handle.toUpperCase().replace('0X', '0x')}`);
    expect(byHandle.body).toMatchObject({ handle: agent.handle, wallet: agent.wallet, is_human: false });
    expect(byHandle.headers.get('cache-control')).toBe('public, max-age=60');
    expect((await api.get('/api/identity/nobody-here')).body).toMatchObject({ error: 'Handle not found', code: 'not_found' });
    expect((await api.get('/api/identity/wallet/0x1')).status).toBe(404);
    const before = Number((await api.get('/api/identity')).body['total_agents']);
    await newAgent(api);
    await control.drain();
    expect(Number((await api.get('/api/identity')).body['total_agents'])).toBeGreaterThan(before);
  });
});
