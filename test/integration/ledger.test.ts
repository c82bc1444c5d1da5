// The ATTN ledger on the running stack: stakes and their four ends, the cap, the claim and the history.
import { afterAll, describe, expect, it } from 'vitest';
import type { Agent } from '#test/support/agents.ts';
import { auditBook, readBook } from '#test/support/ledger-audit.ts';
import { LedgerStack } from '#test/support/ledger-stack.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const world = (): LedgerStack => new LedgerStack(running.current);

const DAY = 86_400;

/** Moves to just after the next midnight UTC, so that no test meets the end of a day. */
const toNewDay = async (): Promise<number> => {
  const now = await running.current.control.advance(0);
  return running.current.control.advance(DAY - (now % DAY) + 60);
};

afterAll(async () => {
  expect(auditBook(readBook(await world().items()))).toStrictEqual([]);
});

describe('a new account', () => {
  it('default: has 50 ATTN, one row that says so, an open claim, and the figures of the ledger', async () => {
    const [alice] = (await world().agents(1)) as [Agent];
    const balance = await world().attn(alice);
    const history = await running.current.api.get('/api/attn/history', alice.token);
    const settings = await running.current.api.get('/api/attn/settings', alice.token);
    const price = await running.current.api.get(`/api/attn-price/${alice.handle}`);

    expect(balance).toMatchObject({
      handle: alice.handle,
      balance: 50,
      daily_earned: 0,
      daily_earn_cap: 200,
      can_claim: true,
      next_claim_in_seconds: 0,
    });
    expect(balance['constants']).toStrictEqual({
      signup_grant: 50,
      daily_claim: 10,
      daily_earn_cap: 200,
      cold_email_stake: 3,
      reply_thread_stake: 1,
      receive_price_min: 1,
      receive_price_max: 10,
      usdc_rate: 100,
    });
    expect(history.body['transactions']).toMatchObject([{ amount: 50, type: 'signup_grant', counter_account: 'mint' }]);
    expect(settings.body['receive_price']).toBe(3);
    expect(price.body).toMatchObject({ handle: alice.handle, attn_enabled: true, cold_email_stake: 3, reply_thread_stake: 1 });
    expect((await running.current.api.get('/api/attn-price/nobody-here')).status).toBe(404);
  });
});

describe('the daily claim', () => {
  it('behavior: raced 12 ways it pays once, again after midnight UTC, and missed days do not add up', async () => {
    const now = await toNewDay();
    const [alice] = (await world().agents(1)) as [Agent];
    const claims = await Promise.all(Array.from({ length: 12 }, () => running.current.api.post('/api/attn/claim', {}, alice.token)));

    expect(claims.map(({ status }) => status)).toStrictEqual(Array(12).fill(200));
    expect(claims.filter(({ body }) => body['claimed'] === true).map(({ body }) => [body['amount'], body['balance']])).toStrictEqual([
      [10, 60],
    ]);
    expect(claims.find(({ body }) => body['claimed'] === false)?.body['reason']).toMatch(/already claimed/i);
    expect(await world().balance(alice)).toBe(60);

    const until = Number((await world().attn(alice))['next_claim_in_seconds']);
    expect(Math.abs(until - (DAY - (now % DAY)))).toBeLessThan(60);
    await running.current.control.advance(3 * DAY);
    expect((await running.current.api.post('/api/attn/claim', {}, alice.token)).body).toMatchObject({
      claimed: true,
      amount: 10,
      balance: 70,
    });
  });

  it('behavior: an Idempotency-Key gives the same reply again', async () => {
    const [alice] = (await world().agents(1)) as [Agent];
    const claim = () => running.current.api.post('/api/attn/claim', {}, alice.token, { 'idempotency-key': 'claim-1' });
    const [first, second] = [await claim(), await claim()];

    expect(first.body).toMatchObject({ claimed: true, amount: 10 });
    expect(second.body).toStrictEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('stakes', () => {
  it('behavior: 6 senders, 5 stakes of 10 each, all rejected at once: exactly 200 earned, the rest back to the point', async () => {
    await toNewDay();
    const [reader, ...senders] = (await world().agents(7)) as [Agent, ...Agent[]];
    await world().setPrice(reader, 10);
    const ids: string[] = [];
    for (const sender of senders) for (let n = 0; n < 5; n += 1) ids.push(await world().mail(sender, reader));
    expect(await Promise.all(senders.map((sender) => world().balance(sender)))).toStrictEqual(Array(6).fill(0));

    const rejected = await Promise.all(ids.map((id) => world().reject(reader, id)));
    const back = await Promise.all(senders.map((sender) => world().balance(sender)));

    expect(rejected.map(({ status }) => status)).toStrictEqual(Array(30).fill(200));
    expect(rejected.reduce((sum, { body }) => sum + Number(body['attn_received']), 0)).toBe(200);
    expect(await world().attn(reader)).toMatchObject({ balance: 250, daily_earned: 200, can_claim: false });
    expect(back.reduce((sum, balance) => sum + balance, 0)).toBe(100);
    expect((await running.current.api.post('/api/attn/claim', {}, reader.token)).body).toMatchObject({
      claimed: false,
      amount: 0,
      balance: 250,
    });
  });

  it('behavior: read, mark-read and reject raced 100 times: always one of the two legal outcomes', async () => {
    await toNewDay();
    const [reader, sender, other] = (await world().agents(3)) as [Agent, Agent, Agent];
    await world().setPrice(reader, 1);
    const outcomes = { refunded: 0, transferred: 0 };
    for (let n = 0; n < 100; n += 1) {
      const from = n < 50 ? sender : other;
      const [before, earned] = [await world().balance(from), await world().balance(reader)];
      const id = await world().mail(from, reader);
      const [read, marked, rejected] = await Promise.all([
        running.current.api.get(`/api/inbox/${id}`, reader.token),
        running.current.api.post('/api/inbox/mark-read', { ids: [id] }, reader.token),
        world().reject(reader, id),
      ]);
      expect([read.status, marked.status]).toStrictEqual([200, 200]);
      const hasRejected = rejected.status === 200;
      expect(hasRejected ? rejected.body['attn_received'] : rejected.body['code']).toBe(hasRejected ? 1 : 'email_already_read');
      expect(await world().balance(from)).toBe(hasRejected ? before - 1 : before);
      expect(await world().balance(reader)).toBe(hasRejected ? earned + 1 : earned);
      outcomes[hasRejected ? 'transferred' : 'refunded'] += 1;
    }
    expect(outcomes.refunded + outcomes.transferred).toBe(100);
  }, 180_000);

  it('behavior: a sender with 2 ATTN sends unstaked, and never fails', async () => {
    const [reader, sender] = (await world().agents(2)) as [Agent, Agent];
    await world().setPrice(reader, 10);
    for (let n = 0; n < 4; n += 1) await world().mail(sender, reader);
    await world().setPrice(reader, 8);
    await world().mail(sender, reader);
    expect(await world().balance(sender)).toBe(2);
    await world().setPrice(reader, 3);
    const sent = await world().send(sender, reader);

    expect(sent.body['attn']).toStrictEqual({ staked: false, amount: 0, reason: 'insufficient_balance', balance_after: 2 });
    expect(await world().row(reader, String(sent.body['email_id']))).toMatchObject({ attn_stake: null, attn_status: null });
  });

  it('behavior: an answer in a thread of the recipient stakes 1, and only unread inbox mail can be rejected', async () => {
    const [alice, bob] = (await world().agents(2)) as [Agent, Agent];
    const first = await world().mail(alice, bob);
    const answer = await world().send(bob, alice, { in_reply_to: first });

    expect(answer.body['attn']).toMatchObject({ staked: true, amount: 1, reason: 'reply_thread' });
    expect((await world().reject(alice, first)).status).toBe(404);
    await running.current.api.get(`/api/inbox/${first}`, bob.token);
    expect((await world().reject(bob, first)).body['code']).toBe('email_already_read');
    expect((await world().reject(bob, 'nonsense')).status).toBe(404);
  });

  it('behavior: reading after 48 hours, before any schedule, is too late for the sender', async () => {
    const [reader, sender] = (await world().agents(2)) as [Agent, Agent];
    const id = await world().mail(sender, reader);
    await running.current.control.advance(49 * 3600);
    await running.current.api.get(`/api/inbox/${id}`, reader.token);

    expect([await world().balance(sender), await world().balance(reader)]).toStrictEqual([47, 53]);
    expect(await world().row(reader, id)).toMatchObject({ attn_stake: 3, attn_status: 'expired' });
  });

  it.each(['schedule', 'listing', 'both'])('behavior: 48 hours on, the %s settles, once', async (by) => {
    const [reader, sender] = (await world().agents(2)) as [Agent, Agent];
    const ids = [await world().mail(sender, reader), await world().mail(sender, reader)];
    await running.current.control.advance(48 * 3600 + 1);
    const list = () => running.current.api.get('/api/inbox', reader.token);
    const schedule = () => running.current.control.call('POST', '/schedules/run', {});
    if (by !== 'listing') await Promise.all([schedule(), ...(by === 'both' ? [list(), list()] : [])]);
    else await list();

    expect([await world().balance(sender), await world().balance(reader)]).toStrictEqual([44, 56]);
    for (const id of ids) expect(await world().row(reader, id)).toMatchObject({ attn_status: 'expired', read: 0 });
    const types = (await running.current.api.get('/api/attn/history', reader.token)).body['transactions'] as { type: string }[];
    expect(types.filter(({ type }) => type === 'expiry_income')).toHaveLength(2);
  });
});

describe('the history', () => {
  it('default: pages by cursor, newest first, and its rows sum to the balance', async () => {
    const [reader, sender] = (await world().agents(2)) as [Agent, Agent];
    for (let n = 0; n < 5; n += 1) await world().mail(sender, reader);
    await running.current.api.post('/api/attn/claim', {}, sender.token);
    const amounts: number[] = [];
    let cursor: unknown = '';
    while (cursor !== null) {
      const path = `/api/attn/history?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await running.current.api.get(path, sender.token);
      amounts.push(...(body['transactions'] as { amount: number }[]).map(({ amount }) => amount));
      cursor = body['next_cursor'];
    }

    expect(amounts).toHaveLength(7);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(await world().balance(sender));
    expect((await running.current.api.get('/api/attn/history?limit=0', sender.token)).status).toBe(400);
    for (const odd of ['zz', 'W%23x', '%00', 'x'.repeat(900)]) {
      const { status, body } = await running.current.api.get(`/api/attn/history?cursor=${odd}`, sender.token);
      expect([status, body['code']]).toStrictEqual([400, 'invalid_request']);
    }
  });

  it('behavior: credits say the balance after each row, and it fits', async () => {
    const [alice] = (await world().agents(1)) as [Agent];
    for (let n = 0; n < 3; n += 1) {
      const sent = await running.current.api.post('/api/send', { to: `x${n}@example.com`, subject: 's', body: 'b' }, alice.token);
      expect(sent.status).toBe(200);
    }
    const { body } = await running.current.api.get('/api/credits/history', alice.token);
    const rows = body['transactions'] as { amount: number; balance_after: number; type: string }[];

    expect(rows.map(({ type, amount, balance_after }) => [type, amount, balance_after])).toStrictEqual([
      ['send_external', -1, 7],
      ['send_external', -1, 8],
      ['send_external', -1, 9],
      ['signup_grant', 10, 10],
    ]);
    expect((await running.current.api.get('/api/credits', alice.token)).body).toMatchObject({ credits: 7 });
    expect((await running.current.api.get('/api/pro/status', alice.token)).body).toMatchObject({ tier: 'free', is_pro: false });
  });
});
