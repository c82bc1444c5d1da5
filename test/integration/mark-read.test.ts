// One call that marks a whole folder of staked mail read: answered in time, and in the end every stake is back, once.
// `MARK_READ_MAILS=5000` runs it at full size.
import { describe, expect, it } from 'vitest';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();

const MAILS = Number(process.env['MARK_READ_MAILS'] ?? 300);
/** A new account has 50 ATTN, and the reader asks 1 a mail. */
const MAILS_PER_SENDER = 50;
const SENDERS = Math.ceil(MAILS / MAILS_PER_SENDER);

const sendAll = async (from: Agent, to: string): Promise<void> => {
  for (let sent = 0; sent < MAILS_PER_SENDER; sent += 1) {
    const reply = await running.current.api.post('/api/send', { to, subject: `Mail ${sent}`, body: 'x' }, from.token);
    expect(reply.body['attn']).toMatchObject({ staked: true, amount: 1 });
  }
};

const balanceOf = async (agent: Agent): Promise<unknown> =>
  (await running.current.api.get('/api/attn/balance', agent.token)).body['balance'];

describe('marking a folder read', () => {
  it('default: gives every stake back once, however many mails there are', async () => {
    const { api, control } = running.current;
    const reader = await newAgent(api);
    expect((await api.put('/api/attn/settings', { receive_price: 1 }, reader.token)).status).toBe(200);
    const senders: Agent[] = [];
    for (let i = 0; i < SENDERS; i += 1) senders.push(await newAgent(api));
    for (let start = 0; start < SENDERS; start += 4) {
      await Promise.all(senders.slice(start, start + 4).map((sender) => sendAll(sender, reader.email)));
    }
    const total = SENDERS * MAILS_PER_SENDER;
    expect((await api.get('/api/inbox', reader.token)).body).toMatchObject({ total, unread: total });
    expect(await Promise.all(senders.map(balanceOf))).toEqual(senders.map(() => 0));

    const startedAt = performance.now();
    const marked = await api.post('/api/inbox/mark-read', {}, reader.token);
    process.stdout.write(`mark-read of ${total}: ${Math.round(performance.now() - startedAt)} ms ${JSON.stringify(marked.body)}\n`);
    await control.drain();

    expect(marked.status).toBe(200);
    expect(marked.body['unread'] === 0).toBe(marked.body['pending'] !== true);
    expect((await api.get('/api/inbox', reader.token)).body).toMatchObject({ total, unread: 0 });
    expect(await Promise.all(senders.map(balanceOf))).toEqual(senders.map(() => 50));
    expect(await balanceOf(reader)).toBe(50);
  }, 900_000);

  it('behavior: named ids are marked, foreign and unknown ones passed over, twice is once', async () => {
    const { api } = running.current;
    const [alice, bob, eve] = [await newAgent(api), await newAgent(api), await newAgent(api)];
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      ids.push(String((await api.post('/api/send', { to: bob.email, subject: 's', body: 'b' }, alice.token)).body['email_id']));
    }
    const foreign = await api.post('/api/inbox/mark-read', { ids }, eve.token);
    const wanted = [ids[0], ids[1], ids[0], 'nonsense', ids[1]];
    const first = await api.post('/api/inbox/mark-read', { ids: wanted }, bob.token);
    const second = await api.post('/api/inbox/mark-read', { ids: wanted }, bob.token);

    expect(foreign.body).toMatchObject({ success: true, unread: 0 });
    expect([first.body['unread'], second.body['unread']]).toEqual([2, 2]);
    expect(await balanceOf(alice)).toBe(50 - 2 * 3);
    expect((await api.post('/api/inbox/mark-read', { folder: 'quarantine' }, bob.token)).status).toBe(400);
    expect((await api.post('/api/inbox/mark-read', { folder: 'sent' }, alice.token)).body).toMatchObject({ folder: 'sent', unread: 0 });
  });
});
