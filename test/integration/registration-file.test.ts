// What agents and the service show to the world, on the running stack: registration files with true figures, statistics,
// and the directory of named agents.
import { describe, expect, it } from 'vitest';
import { newAgent } from '#test/support/agents.ts';
import { baseOf } from '#test/support/base-chain.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const mailTo = (to: string) => ({ to, subject: 'Counted', body: 'One.' });

describe('the registration file of an agent', () => {
  it('names where the agent is reached, and counts its mail for good', async () => {
    const { api } = running.current;
    const base = baseOf(running.current);
    const key = await base.newNamedWallet('filed-agent');
    const agent = await newAgent(api, key);
    expect(
      (await api.call('PUT', '/api/register/upgrade', { token: agent.token, body: { basename: 'filed-agent.base.eth' } })).status,
    ).toBe(200);
    const peer = await newAgent(api);
    for (let index = 0; index < 2; index += 1) await api.post('/api/send', mailTo(`${agent.wallet}@agents.localhost.test`), peer.token);
    await api.post('/api/send', mailTo(peer.email), agent.token);
    const [first] = (await api.get('/api/inbox', agent.token)).body['emails'] as { id: string }[];
    await api.delete(`/api/inbox/${first?.id}`, agent.token);

    const { status, body, headers } = await api.get('/api/agent/Filed-Agent/registration.json');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(body).toMatchObject({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: 'filed-agent.base.eth',
      active: true,
      x402Support: false,
      registrations: [],
      reputation: { uniqueSenders: 0, totalBondsUsdc: 0, emailsReceived: 2, emailsSent: 1 },
    });
    const services = body['services'] as { name: string; endpoint: string; version?: string }[];
    expect(services.map(({ name }) => name)).toEqual(['email', 'web', 'API', 'wallet']);
    expect(services.find(({ name }) => name === 'email')?.endpoint).toBe('filed-agent@agents.localhost.test');
    expect(services.find(({ name }) => name === 'wallet')?.endpoint).toBe(`eip155:8453:${agent.wallet}`);
    expect((await api.get(`/api/agent/${agent.wallet}/registration.json`)).body['name']).toBe('filed-agent.base.eth');
    const unknown = await api.get('/api/agent/nobody-here/registration.json');
    expect([unknown.status, unknown.body['error']]).toEqual([404, 'Agent not found']);
  });

  it('exists for the service, too', async () => {
    const { api } = running.current;
    const { status, body } = await api.get('/.well-known/agent-registration.json');
    expect([status, body['active']]).toEqual([200, true]);
    expect(body['services']).toContainEqual({ name: 'API', endpoint: `${api.baseUrl}/api/openapi.json`, version: '2.0.0' });
  });
});

describe('the directory', () => {
  const handlesListed = async () =>
    ((await running.current.api.get('/api/agents/list')).body['agents'] as { handle: string }[]).map(({ handle }) => handle);

  it('lists named agents, the newest first, under the handle they have now, without 0x handles', async () => {
    const { api, control } = running.current;
    const base = baseOf(running.current);
    for (const label of ['listed-first', 'listed-second']) {
      await control.advance(1);
      const agent = await newAgent(api, await base.newNamedWallet(label));
      await base.buy(agent.key, `${label}-b`);
      await api.call('PUT', '/api/register/upgrade', { token: agent.token, body: { basename: `${label}.base.eth` } });
    }
    const plain = await newAgent(api);
    const listed = await handlesListed();
    expect(listed.slice(0, 2)).toEqual(['listed-second', 'listed-first']);
    expect(listed).not.toContain(plain.handle);
    const reply = await api.get('/api/agents/list');
    expect([reply.headers.get('cache-control'), reply.body['total']]).toEqual(['public, max-age=3600', listed.length]);
  });

  it('lists an agent once when its primary handle changes', async () => {
    const { api, control } = running.current;
    const base = baseOf(running.current);
    await control.advance(1);
    const agent = await newAgent(api, await base.newNamedWallet('renamed-before'));
    await base.buy(agent.key, 'renamed-after');
    await api.call('PUT', '/api/register/upgrade', { token: agent.token, body: { basename: 'renamed-before.base.eth' } });
    await api.post('/api/aliases', { handle: 'renamed-after' }, agent.token);
    await api.put('/api/settings/primary', { handle: 'renamed-after' }, agent.token);
    const listed = await handlesListed();
    expect([listed[0], listed.includes('renamed-before')]).toEqual(['renamed-after', false]);
  });
});

describe('the statistics', () => {
  it('follow what happened', async () => {
    const { api, control } = running.current;
    await control.drain();
    const before = (await api.get('/api/stats')).body as Record<string, number>;
    const [one, two] = [await newAgent(api), await newAgent(api)];
    await api.post('/api/send', mailTo(two.email), one.token);
    await control.drain();
    const { body } = await api.get('/api/stats');
    expect(body).toEqual({
      agents: (before['agents'] ?? 0) + 2,
      sent: (before['sent'] ?? 0) + 1,
      received: (before['received'] ?? 0) + 1,
      email_events: (before['email_events'] ?? 0) + 2,
    });
  });
});
