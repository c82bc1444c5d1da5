// Handles after registration, on the running stack: upgrade, aliases, the switch of the primary handle, sending under
// another name, settings, and names that were given away or lapsed.
import type { PrivateKeyAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { type Agent, newAgent, newWallet, register } from '#test/support/agents.ts';
import { baseOf } from '#test/support/base-chain.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const lower = (account: PrivateKeyAccount): string => account.address.toLowerCase();
const mailTo = (to: string, extra: Record<string, unknown> = {}) => ({ to, subject: 'Hello', body: 'A *line*.', ...extra });

const MANY_MAILS = 200;

/** Units that a route wrote, wherever the meter's reply keeps its rows. */
const writeUnitsOf = (meter: unknown, route: string): number => {
  const rows = (Array.isArray(meter) ? meter : (meter as { rows: unknown }).rows) as { route: string; writeUnits: number }[];
  return rows.filter((row) => row.route === route).reduce((sum, { writeUnits }) => sum + writeUnits, 0);
};

/** An agent that owns names and signs up under its address. */
const agentOwning = async (...labels: string[]): Promise<Agent> => {
  const base = baseOf(running.current);
  const key = await base.newFundedWallet();
  for (const label of labels) await base.buy(key, label);
  return newAgent(running.current.api, key);
};

const upgrade = (agent: Agent, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  running.current.api.call('PUT', '/api/register/upgrade', { token: agent.token, body, headers });

describe('upgrading a 0x handle', () => {
  it('keeps everything: mails, keys and the old address', async () => {
    const { api } = running.current;
    const agent = await agentOwning('upgraded');
    const sender = await newAgent(api);
    for (let index = 0; index < 5; index += 1) expect((await api.post('/api/send', mailTo(agent.email), sender.token)).status).toBe(200);
    const key = await api.post('/api/keys/create', { name: 'kept' }, agent.token);

    const { status, body } = await upgrade(agent, { basename: 'upgraded.base.eth' });
    expect([status, body['handle'], body['old_handle'], body['basename'], body['migrated_emails']]).toEqual([
      200,
      'upgraded',
      agent.wallet,
      'upgraded.base.eth',
      5,
    ]);

    const inbox = await api.get('/api/inbox', String(key.body['api_key']));
    expect([inbox.status, inbox.body['total']]).toEqual([200, 5]);
    expect((await api.get('/api/inbox', String(body['token']))).body['total']).toBe(5);
    for (const address of [agent.email, 'upgraded@agents.localhost.test']) {
      expect((await api.post('/api/send', mailTo(address), sender.token)).status).toBe(200);
    }
    expect((await api.get('/api/inbox', agent.token)).body['total']).toBe(7);
    expect((await api.get(`/api/identity/${agent.wallet}`)).body['handle']).toBe('upgraded');
    expect((await api.get('/api/register/check/upgraded')).body['status']).toBe('taken');

    const again = await upgrade(agent, { basename: 'upgraded.base.eth' });
    expect([again.status, again.body['code'], again.body['handle']]).toEqual([400, 'already_named', 'upgraded']);
  });

  it('writes as much for a full mailbox as for an empty one', async () => {
    const { api, control } = running.current;
    const [empty, full] = [await agentOwning('empty-box'), await agentOwning('full-box')];
    const senders = await Promise.all(Array.from({ length: 4 }, () => newAgent(api)));
    const fill = async (sender: Agent): Promise<void> => {
      for (let index = 0; index < MANY_MAILS / senders.length; index += 1) {
        expect((await api.post('/api/send', mailTo(full.email), sender.token)).status).toBe(200);
      }
    };
    await Promise.all(senders.map(fill));
    const upgradeUnits = async (agent: Agent, basename: string): Promise<number> => {
      await control.call('DELETE', '/meter');
      const { status, body } = await upgrade(agent, { basename });
      expect([status, body['migrated_emails']]).toEqual([200, agent === full ? MANY_MAILS : 0]);
      return writeUnitsOf(await control.call('GET', '/meter'), 'PUT /api/register/upgrade');
    };
    const first = await upgradeUnits(empty, 'empty-box.base.eth');
    expect(first).toBeGreaterThan(0);
    expect(await upgradeUnits(full, 'full-box.base.eth')).toBe(first);
    expect((await api.get('/api/inbox', full.token)).body['total']).toBe(MANY_MAILS);
  }, 180_000);

  it('takes the name that the wallet chose on chain when none is given, and 404 without any', async () => {
    const base = baseOf(running.current);
    const agent = await agentOwning('own-choice');
    const without = await upgrade(agent, {});
    expect([without.status, without.body['code']]).toEqual([404, 'not_found']);
    await base.setPrimary(agent.key, 'own-choice');
    expect((await upgrade(agent, {})).body['handle']).toBe('own-choice');
  });

  it('buys a name, counts it on the limit of sponsored names alone, and refuses foreign and dear names', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const agent = await newAgent(api);
    const stranger = await base.newFundedWallet();
    await base.buy(stranger, 'strangers');
    expect((await upgrade(agent, { basename: 'strangers.base.eth' })).body['code']).toBe('name_not_owned');
    expect((await upgrade(agent, { auto_basename: true, basename_name: 'abcd' })).body['code']).toBe('name_too_expensive');
    const bought = await upgrade(agent, { auto_basename: true, basename_name: 'upgrade-bought' }, { 'x-forwarded-for': '10.80.0.1' });
    expect([bought.status, bought.body['handle']]).toEqual([200, 'upgrade-bought']);
    expect(bought.headers.get('ratelimit-policy')).toBe('"sponsored-basename";q=2;w=86400');
    expect(await base.ownerOf('upgrade-bought')).toBe(agent.wallet);
  });

  it('is 404 for a wallet without an account and 409 for a name that another wallet goes by here', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const first = await base.newNamedWallet('moved-on');
    expect((await register(api, first, { basename: 'moved-on.base.eth' })).status).toBe(201);
    const second = await newAgent(api);
    await base.give(first, second.key.address, 'moved-on');
    const taken = await upgrade(second, { basename: 'moved-on.base.eth' });
    expect([taken.status, taken.body['code'], taken.body['existing_handle']]).toEqual([409, 'handle_taken', 'moved-on']);
    expect(taken.body['hint']).toContain('Use another name');
  });

  it('ends with one handle when two upgrades race', async () => {
    const { api } = running.current;
    const agent = await agentOwning('race-one', 'race-two');
    const replies = await Promise.all(['race-one', 'race-two'].map((label) => upgrade(agent, { basename: `${label}.base.eth` })));
    expect(replies.every(({ status }) => [200, 400, 503].includes(status))).toBe(true);
    const { body } = await api.get(`/api/identity/wallet/${agent.wallet}`);
    const { body: aliases } = await api.get('/api/aliases', agent.token);
    expect(['race-one', 'race-two']).toContain(body['handle']);
    expect(aliases['primary_handle']).toBe(body['handle']);
    const listed = (aliases['aliases'] as { handle: string }[]).map(({ handle }) => handle);
    const served = await Promise.all(['race-one', 'race-two'].map(async (label) => (await api.get(`/api/identity/${label}`)).status));
    expect(served.filter((status) => status === 200)).toHaveLength(1 + listed.length);
  });
});

describe('aliases', () => {
  it('deliver to the primary inbox until they are removed', async () => {
    const { api } = running.current;
    const agent = await agentOwning('alias-one', 'alias-two');
    const sender = await newAgent(api);
    const byHandle = await api.post('/api/aliases', { handle: 'alias-one' }, agent.token);
    expect([byHandle.status, byHandle.body]).toMatchObject([
      200,
      { alias_email: 'alias-one@agents.localhost.test', primary_handle: agent.wallet },
    ]);
    expect((await api.post('/api/aliases', { basename: 'alias-two.base.eth' }, agent.token)).status).toBe(200);
    expect((await api.post('/api/aliases', { handle: 'alias-one' }, agent.token)).status).toBe(200);

    const listed = await api.get('/api/aliases', agent.token);
    expect((listed.body['aliases'] as { handle: string }[]).map(({ handle }) => handle)).toEqual(['alias-one', 'alias-two']);
    expect((await api.post('/api/send', mailTo('Alias-One@agents.localhost.test'), sender.token)).status).toBe(200);
    const inbox = await api.get('/api/inbox', agent.token);
    expect((inbox.body['emails'] as { to_addr: string }[])[0]?.to_addr).toBe('alias-one@agents.localhost.test');
    expect((await api.post('/api/attention/whitelist', { sender_handle: 'Alias-One.base.eth' }, sender.token)).status).toBe(201);
    expect((await api.get('/api/attention/whitelist', sender.token)).body['whitelist']).toMatchObject([
      { sender_handle: 'alias-one', sender_wallet: agent.wallet },
    ]);

    expect((await api.delete('/api/aliases/alias-one', agent.token)).status).toBe(200);
    expect((await api.delete('/api/aliases/alias-one', agent.token)).status).toBe(404);
    const gone = await api.post('/api/send', mailTo('alias-one@agents.localhost.test'), sender.token);
    expect([gone.status, gone.body['error']]).toEqual([404, 'Recipient not found']);
  });

  it('are refused for names of others, reserved names and what is no name; nobody removes those of others', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const [owner, thief] = [await agentOwning('guarded'), await newAgent(api)];
    await base.buy(owner.key, 'support');
    expect((await api.post('/api/aliases', { handle: 'guarded' }, owner.token)).status).toBe(200);
    for (const [agent, handle, status, code] of [
      [thief, 'guarded', 403, 'name_not_owned'],
      [thief, 'never-registered', 403, 'name_not_owned'],
      [thief, 'no', 400, 'invalid_name'],
      [owner, 'support', 409, 'handle_taken'],
    ] as const) {
      const refused = await api.post('/api/aliases', { handle }, agent.token);
      expect([refused.status, refused.body['code']], handle).toEqual([status, code]);
    }
    expect((await api.delete('/api/aliases/guarded', thief.token)).status).toBe(404);
    expect((await api.delete(`/api/aliases/${owner.wallet}`, owner.token)).status).toBe(404);
  });

  it('are added by POST /api/register of a registered wallet, with 200', async () => {
    const { api } = running.current;
    const agent = await agentOwning('by-register');
    const { status, body } = await api.post('/api/register', { basename: 'by-register.base.eth' }, agent.token);
    expect([status, body['action'], body['primary_email']]).toEqual([200, 'alias_added', agent.email]);
    const refused = await api.post('/api/register', {}, agent.token);
    expect([refused.status, refused.body['existing_handle']]).toEqual([409, agent.wallet]);
  });
});

describe('the primary handle', () => {
  it('switches to an alias and back, with a new token; the old one stays as an alias', async () => {
    const { api } = running.current;
    const agent = await agentOwning('primary-one', 'primary-two');
    await upgrade(agent, { basename: 'primary-one.base.eth' });
    await api.post('/api/aliases', { handle: 'primary-two' }, agent.token);
    const { status, body } = await api.put('/api/settings/primary', { handle: 'Primary-Two' }, agent.token);
    expect([status, body['handle'], body['old_handle'], body['basename']]).toEqual([
      200,
      'primary-two',
      'primary-one',
      'primary-two.base.eth',
    ]);
    expect((await api.get('/api/aliases', String(body['token']))).body).toMatchObject({
      primary_handle: 'primary-two',
      aliases: [{ handle: 'primary-one' }],
    });
    expect((await api.delete('/api/aliases/primary-two', agent.token)).status).toBe(404);
    expect((await api.put('/api/settings/primary', { handle: 'primary-one' }, agent.token)).body['handle']).toBe('primary-one');
    expect((await api.get('/api/identity/primary-two')).body['handle']).toBe('primary-one');
  });

  it('is 404 for what is no alias of the account', async () => {
    const { api } = running.current;
    const agent = await newAgent(api);
    for (const handle of ['nobodys-alias', agent.wallet, '!']) {
      expect((await api.put('/api/settings/primary', { handle }, agent.token)).status, handle).toBe(404);
    }
  });
});

describe('sending under another name', () => {
  it('registers the alias, shows it as sender, and gets the answer', async () => {
    const { api } = running.current;
    const [agent, other] = [await agentOwning('pen-name'), await newAgent(api)];
    const sent = await api.post('/api/send', mailTo(other.email, { from_handle: 'pen-name' }), agent.token);
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { from: 'pen-name@agents.localhost.test', from_alias: 'pen-name@agents.localhost.test', primary_handle: agent.wallet },
    ]);
    const [row] = (await api.get('/api/inbox', other.token)).body['emails'] as { from_addr: string; id: string }[];
    expect(row?.from_addr).toBe('pen-name@agents.localhost.test');
    expect((await api.post('/api/send', mailTo(row?.from_addr ?? '', { in_reply_to: row?.id }), other.token)).status).toBe(200);
    expect((await api.get('/api/inbox', agent.token)).body['total']).toBe(1);
    expect((await api.get('/api/aliases', agent.token)).body['aliases']).toMatchObject([{ handle: 'pen-name' }]);

    const plain = await api.post('/api/send', mailTo(other.email), agent.token);
    expect([plain.body['from'], plain.body['from_alias'], plain.body['primary_handle']]).toEqual([agent.email, undefined, undefined]);
  });

  it('is 400 for a name of someone else, and nothing is sent', async () => {
    const { api } = running.current;
    await agentOwning('not-mine');
    const [agent, other] = [await newAgent(api), await newAgent(api)];
    for (const name of ['not-mine', 'unregistered-name', 'no good', other.wallet]) {
      const refused = await api.post('/api/send', mailTo(other.email, { from_handle: name }), agent.token);
      expect([refused.status, refused.body['code']], name).toEqual([400, 'invalid_name']);
    }
    expect((await api.get('/api/inbox', other.token)).body['total']).toBe(0);
  });

  it('works in parallel from the first moment on', async () => {
    const { api } = running.current;
    const [agent, other] = [await agentOwning('many-at-once'), await newAgent(api)];
    const sends = Array.from({ length: 5 }, () =>
      api.post('/api/send', mailTo(other.email, { from_handle: 'many-at-once.base.eth' }), agent.token),
    );
    expect((await Promise.all(sends)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('settings', () => {
  it('keep a notification address until it is taken back', async () => {
    const { api } = running.current;
    const { token } = await newAgent(api);
    expect((await api.get('/api/settings', token)).body).toEqual({ notification_email: null });
    expect((await api.put('/api/settings', { notification_email: 'me@example.com' }, token)).body).toEqual({
      notification_email: 'me@example.com',
    });
    expect((await api.put('/api/settings', {}, token)).body).toEqual({ notification_email: 'me@example.com' });
    expect((await api.put('/api/settings', { notification_email: 'not an address' }, token)).status).toBe(400);
    expect((await api.put('/api/settings', { notification_email: null }, token)).body).toEqual({ notification_email: null });
    expect((await api.get('/api/settings', token)).body).toEqual({ notification_email: null });
  });
});

describe('names on chain', () => {
  const labelsOf = async (address: string) => {
    const { status, body } = await running.current.api.get(`/api/register/basenames/${address}`);
    expect(status).toBe(200);
    return (body['basenames'] as { handle: string; source: string; expires_at: number | null }[]).sort((a, b) =>
      a.handle < b.handle ? -1 : 1,
    );
  };

  it('are found through the event tail: bought, given, and not the ones given away', async () => {
    const { control } = running.current;
    const base = baseOf(running.current);
    const giver = await base.newNamedWallet('given-away');
    await base.buy(giver, 'kept-back');
    const taker = newWallet();
    await base.give(giver, taker.address, 'given-away');
    await control.runSchedules();
    expect(await labelsOf(taker.address)).toMatchObject([{ handle: 'given-away', source: 'onchain' }]);
    expect((await labelsOf(taker.address))[0]?.expires_at).toBeGreaterThan(Date.now() / 1000);
    expect((await labelsOf(giver.address)).map(({ handle }) => handle)).toEqual(['kept-back']);
    await base.give(giver, taker.address, 'kept-back');
    await control.runSchedules();
    expect((await labelsOf(taker.address)).map(({ handle }) => handle)).toEqual(['given-away', 'kept-back']);
    expect(await labelsOf(giver.address)).toEqual([]);
    expect((await running.current.api.get(`/api/register/check/${lower(taker)}`)).body).toMatchObject({ has_basename_nft: true });
    expect((await running.current.api.get('/api/register/basenames/nonsense')).status).toBe(400);
  });

  it('that are aliases stay listed as such when they are given away', async () => {
    const base = baseOf(running.current);
    const agent = await agentOwning('alias-sold');
    await running.current.api.post('/api/aliases', { handle: 'alias-sold' }, agent.token);
    expect(await labelsOf(agent.wallet)).toMatchObject([{ handle: 'alias-sold', source: 'onchain' }]);
    await base.give(agent.key, newWallet().address, 'alias-sold');
    expect(await labelsOf(agent.wallet)).toEqual([
      { name: 'alias-sold.base.eth', handle: 'alias-sold', source: 'alias', expires_at: null },
    ]);
  });

  it('that lapse are told apart: in grace taken, after it for sale and too dear, then cheap again', async () => {
    const { api, control } = running.current;
    const base = baseOf(running.current);
    const agent = await agentOwning('lapsing-name');
    const statusOf = async () => (await api.get('/api/register/check/lapsing-name')).body;
    expect(await statusOf()).toMatchObject({ status: 'reserved' });
    await control.advance(31_536_000 + 3600);
    const grace = await statusOf();
    expect(grace).toMatchObject({ status: 'taken', registered: false, available_onchain: false });
    expect(grace['note']).toContain('grace');
    expect((await register(api, agent.key, { basename: 'lapsing-name.base.eth' })).body['code']).toBe('name_not_owned');
    await control.advance(90 * 86_400);
    expect(await statusOf()).toMatchObject({ status: 'available', available_onchain: true });
    const dear = await newAgent(api);
    expect((await upgrade(dear, { auto_basename: true, basename_name: 'lapsing-name' })).body['code']).toBe('name_too_expensive');
    await control.advance(29 * 86_400);
    const { api_key: key } = (await api.post('/api/keys/create', {}, (await newAgent(api, dear.key)).token)).body;
    const bought = await upgrade({ ...dear, token: String(key) }, { auto_basename: true, basename_name: 'lapsing-name' });
    expect([bought.status, await base.ownerOf('lapsing-name')]).toEqual([200, dear.wallet]);
  });

  it('that lapse while an account goes by them are sold to nobody by us, except to that account', async () => {
    const { api, control } = running.current;
    const agent = await agentOwning('kept-here');
    expect((await upgrade(agent, { basename: 'kept-here.base.eth' })).status).toBe(200);
    await control.advance(31_536_000);
    await control.advance(130 * 86_400);

    const { body } = await api.get('/api/register/check/kept-here');
    const buyData = (owner: string) => api.get(`/api/register/buy-data/kept-here?owner=${owner}`);
    const refused = await buyData(newWallet().address);

    expect(body).toMatchObject({
      status: 'taken',
      registered: true,
      available_onchain: true,
      note: expect.stringContaining('goes by this name'),
    });
    expect([refused.status, refused.body['code'], typeof refused.body['hint']]).toEqual([409, 'name_unavailable', 'string']);
    expect((await buyData(agent.wallet)).status).toBe(200);
  });
});
