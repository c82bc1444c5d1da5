// Webhooks on the running stack: registering, delivering, failing, reviving, and what the log has to say about it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { MessageReceivedEvent } from '#contract/events.ts';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { HOSTILE_URLS } from '#test/support/hostile-urls.ts';
import { deliver, plainMessage } from '#test/support/outside-mail.ts';
import { useStack } from '#test/support/test-stack.ts';
import { type ReceivedEvent, useReceiver } from '#test/support/webhook-receiver.ts';

const stack = useStack();
const receiver = useReceiver();

const api = () => stack.current.api;
const control = () => stack.current.control;

interface Registered {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
}

let paths = 0;

const register = async (agent: Agent): Promise<Registered> => {
  paths += 1;
  const path = `/hook-${paths}`;
  const { status, body } = await api().post('/api/webhooks', { url: receiver.url(path) }, agent.token);
  expect(status).toBe(200);
  return { id: String(body['id']), secret: String(body['secret']), path };
};

const sendTo = async (from: Agent, to: Agent, subject = 'news'): Promise<string> => {
  const { status, body } = await api().post('/api/send', { to: to.email, subject, body: 'text' }, from.token);
  expect(status).toBe(200);
  return String(body['email_id']);
};

const webhookOf = async (agent: Agent, id: string): Promise<Record<string, unknown> | undefined> =>
  ((await api().get('/api/webhooks', agent.token)).body['webhooks'] as Record<string, unknown>[]).find((webhook) => webhook['id'] === id);

const logOf = async (agent: Agent, id: string, query = ''): Promise<Record<string, unknown>[]> =>
  (await api().get(`/api/webhooks/${id}/deliveries${query}`, agent.token)).body['deliveries'] as Record<string, unknown>[];

const later = async (seconds: number): Promise<void> => {
  await control().advance(seconds);
  await control().runSchedules();
  await control().drain();
};

/** An agent with an API key for its token: sessions end while the clock moves on by days. */
const lasting = async (): Promise<Agent> => {
  const agent = await newAgent(api());
  const { body } = await api().post('/api/keys/create', {}, agent.token);
  return { ...agent, token: String(body['api_key']) };
};

const pair = async (): Promise<{ sender: Agent; owner: Agent }> => ({ sender: await lasting(), owner: await lasting() });

/** The five lines of the page for receivers. */
const isSigned = ({ headers, body }: ReceivedEvent, secret: string): boolean => {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const wanted = Buffer.from(
    createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(content)
      .digest('base64'),
  );
  const signatures = String(headers['webhook-signature']).split(' ');
  return signatures.some((each) => each.length === wanted.length + 3 && timingSafeEqual(Buffer.from(each.slice(3)), wanted));
};

const bodySignature = (secret: string, body: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

describe('registering', () => {
  it('default: the secret is shown once, and the list never has it', async () => {
    const owner = await newAgent(api());
    const { body } = await api().post('/api/webhooks', { url: 'https://hooks.example.com/in' }, owner.token);
    const listed = await api().get('/api/webhooks', owner.token);

    expect(body).toMatchObject({ url: 'https://hooks.example.com/in', events: ['message.received'], active: true });
    expect(body['secret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(listed.body['webhooks']).toEqual([
      {
        id: body['id'],
        url: 'https://hooks.example.com/in',
        events: ['message.received'],
        active: true,
        created_at: body['created_at'],
        disabled_reason: null,
      },
    ]);
  });

  it('error: hostile addresses are 400, when registered and when changed', async () => {
    const owner = await newAgent(api());
    const hook = await register(owner);
    for (const url of HOSTILE_URLS) {
      const created = await api().post('/api/webhooks', { url }, owner.token);
      const changed = await api().call('PATCH', `/api/webhooks/${hook.id}`, { body: { url }, token: owner.token });

      expect([created.status, changed.status], url).toEqual([400, 400]);
    }
    expect((await api().get('/api/webhooks', owner.token)).body['webhooks']).toHaveLength(1);
  });

  it('behavior: of 25 at once an account gets 20, and a deleted one makes room', async () => {
    const owner = await newAgent(api());
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => api().post('/api/webhooks', { url: 'https://hooks.example.com/' }, owner.token)),
    );
    const made = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status !== 200);

    expect(made).toHaveLength(20);
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual(Array.from({ length: 5 }, () => [409, 'limit_reached']));
    expect((await api().delete(`/api/webhooks/${String(made[0]?.body['id'])}`, owner.token)).status).toBe(200);
    expect((await api().post('/api/webhooks', { url: 'https://hooks.example.com/' }, owner.token)).status).toBe(200);
  });

  it('behavior: a repeated request with an Idempotency-Key shows the same secret and makes one webhook', async () => {
    const owner = await newAgent(api());
    const make = () => api().post('/api/webhooks', { url: 'https://hooks.example.com/' }, owner.token, { 'idempotency-key': 'once' });
    const [first, second] = [await make(), await make()];

    expect(second.body).toEqual(first.body);
    expect((await api().get('/api/webhooks', owner.token)).body['webhooks']).toHaveLength(1);
  });

  it('error: what belongs to someone else, and what cannot be an id, is 404', async () => {
    const [owner, stranger] = [await newAgent(api()), await newAgent(api())];
    const { id } = await register(owner);
    for (const wrong of [id, 'nonsense', 'x#y', '..%2f..']) {
      const path = `/api/webhooks/${wrong === id ? id : encodeURIComponent(wrong)}`;
      const replies = [
        await api().call('PATCH', path, { body: { active: false }, token: stranger.token }),
        await api().delete(path, stranger.token),
        await api().post(`${path}/rotate`, {}, stranger.token),
        await api().post(`${path}/test`, {}, stranger.token),
        await api().get(`${path}/deliveries`, stranger.token),
        await api().post(`${path}/deliveries/${id}/redeliver`, {}, stranger.token),
      ];

      expect(
        replies.map(({ status }) => status),
        wrong,
      ).toEqual([404, 404, 404, 404, 404, 404]);
    }
  });
});

describe('delivering', () => {
  it('default: a receiver that is down for three attempts gets one event under one id, each time signed anew', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    receiver.answers(hook.path, 503);
    const emailId = await sendTo(sender, owner, 'Grüße');
    await control().drain();
    await later(7);
    await later(400);
    receiver.answers(hook.path, 200);
    await later(2400);
    await later(86_400);
    const attempts = receiver.at(hook.path);
    const last = attempts.at(-1);

    expect(attempts).toHaveLength(4);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
    expect(new Set(attempts.map(({ timestamp }) => timestamp)).size).toBe(4);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(MessageReceivedEvent.parse(last?.event)).toMatchObject({
      type: 'message.received',
      data: {
        email_id: emailId,
        to: owner.email,
        from: sender.email,
        subject: 'Grüße',
        snippet: 'text',
        attn_stake: 3,
        auth: null,
        has_attachments: false,
      },
    });
    for (const attempt of attempts) {
      expect(isSigned(attempt, hook.secret)).toBe(true);
      expect(attempt.headers['x-service-signature']).toBe(bodySignature(hook.secret, attempt.body));
    }
    expect(await logOf(owner, hook.id)).toMatchObject([
      {
        id: last?.id,
        email_id: emailId,
        state: 'delivered',
        attempt: 4,
        status: 200,
        error: null,
        next_attempt_at: null,
        response_excerpt: 'answered 200',
      },
    ]);
  });

  it('default: the package of the standard verifies a delivery', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    await sendTo(sender, owner);
    await control().drain();
    const [event] = receiver.at(hook.path);

    expect(new Webhook(hook.secret).verify(event?.body ?? '', event?.headers as Record<string, string>)).toMatchObject({
      type: 'message.received',
    });
  });

  it('behavior: mail from outside is told with what was found out about its sender; quarantined mail is not told', async () => {
    const { owner } = await pair();
    const hook = await register(owner);
    const from = 'someone@example.com';
    await deliver(stack.current, { from, to: [owner.email], raw: plainMessage(from, owner.email, 'from outside') });
    await deliver(stack.current, { from, to: [owner.email], raw: plainMessage(from, owner.email, 'a virus', ['X-Local-Virus: FAIL']) });
    await control().drain();
    const events = receiver.at(hook.path).map(({ event }) => event.data);

    expect(events).toMatchObject([{ from, to: owner.email, subject: 'from outside', auth: { dmarc: 'PASS', sender_verified: true } }]);
    expect((await api().get('/api/inbox?folder=quarantine', owner.token)).body['total']).toBe(1);
  });

  it('behavior: each webhook of an account hears once of each mail, and of nothing that the account sends', async () => {
    const { sender, owner } = await pair();
    const hooks = [await register(owner), await register(owner), await register(owner)];
    const sent = [await sendTo(sender, owner), await sendTo(sender, owner)];
    await sendTo(owner, sender);
    const toSelf = await sendTo(owner, owner);
    await control().drain();
    await later(3600);

    for (const { path } of hooks) {
      const events = receiver.at(path);
      expect(events.map(({ event }) => event.data['email_id']).sort()).toEqual([...sent, toSelf].sort());
      expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    }
  });

  it('behavior: eight attempts, then dead; a redelivery has one attempt under the same id', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    receiver.answers(hook.path, 500);
    await sendTo(sender, owner);
    await control().drain();
    for (const wait of [7, 400, 2400, 9000, 22_000, 44_000, 44_000]) await later(wait);
    await later(50_000);
    const [dead] = await logOf(owner, hook.id);

    expect(receiver.at(hook.path)).toHaveLength(8);
    expect(dead).toMatchObject({ state: 'dead', attempt: 8, status: 500, error: 'status 500', next_attempt_at: null });

    receiver.answers(hook.path, 200);
    const ordered = await api().post(`/api/webhooks/${hook.id}/deliveries/${String(dead?.['id'])}/redeliver`, {}, owner.token);
    await control().drain();

    expect([ordered.status, ordered.body]).toEqual([202, { success: true, delivery_id: dead?.['id'] }]);
    expect(receiver.at(hook.path).map(({ id }) => id)).toEqual(Array.from({ length: 9 }, () => dead?.['id']));
    expect(await logOf(owner, hook.id)).toMatchObject([{ id: dead?.['id'], state: 'delivered', attempt: 9, status: 200 }]);
  });

  it('behavior: Retry-After is waited for', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    receiver.answers(hook.path, { status: 429, headers: { 'retry-after': '600' } });
    await sendTo(sender, owner);
    await control().drain();
    await later(500);
    expect(receiver.at(hook.path)).toHaveLength(1);
    await later(200);

    expect(receiver.at(hook.path)).toHaveLength(2);
  });

  it('behavior: what waits for a deleted webhook is dropped', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    receiver.answers(hook.path, 500);
    await sendTo(sender, owner);
    await control().drain();
    await api().delete(`/api/webhooks/${hook.id}`, owner.token);
    await later(10);
    await later(86_400);

    expect(receiver.at(hook.path)).toHaveLength(1);
  });
});

describe('switching off', () => {
  it('behavior: 410 switches off at once and says so, PATCH revives', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    receiver.answers(hook.path, 410);
    await sendTo(sender, owner);
    await control().drain();
    expect(await webhookOf(owner, hook.id)).toMatchObject({ active: false, disabled_reason: expect.stringContaining('410') });
    expect(await logOf(owner, hook.id)).toMatchObject([{ state: 'dead', status: 410, attempt: 1 }]);

    receiver.answers(hook.path, 200);
    await sendTo(sender, owner);
    await later(3600);
    expect(receiver.at(hook.path)).toHaveLength(1);

    const revived = await api().call('PATCH', `/api/webhooks/${hook.id}`, { body: { active: true }, token: owner.token });
    await sendTo(sender, owner);
    await control().drain();

    expect(revived.body).toMatchObject({ active: true, disabled_reason: null });
    expect(receiver.at(hook.path)).toHaveLength(2);
  });

  it('behavior: five days of nothing but failures switch off, one success begins them anew', async () => {
    const { sender, owner } = await pair();
    const [failing, wavering] = [await register(owner), await register(owner)];
    for (const { path } of [failing, wavering]) receiver.answers(path, 500);
    await sendTo(sender, owner);
    await control().drain();
    await later(3 * 86_400);
    receiver.answers(wavering.path, 200);
    await sendTo(sender, owner);
    await control().drain();
    receiver.answers(wavering.path, 500);
    await sendTo(sender, owner);
    await later(60);
    await later(2 * 86_400 + 60);

    expect(await webhookOf(owner, failing.id)).toMatchObject({ active: false, disabled_reason: expect.stringContaining('Five days') });
    expect(await webhookOf(owner, wavering.id)).toMatchObject({ active: true, disabled_reason: null });

    await api().call('PATCH', `/api/webhooks/${failing.id}`, { body: { active: true }, token: owner.token });
    receiver.answers(failing.path, 200);
    const before = receiver.at(failing.path).length;
    await sendTo(sender, owner);
    await control().drain();

    expect(receiver.at(failing.path).length).toBe(before + 1);
  });

  it('behavior: what waits for a webhook that was switched off is given up, and a test still goes out', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    receiver.answers(hook.path, 500);
    await sendTo(sender, owner);
    await control().drain();
    await api().call('PATCH', `/api/webhooks/${hook.id}`, { body: { active: false }, token: owner.token });
    await later(10);
    expect(await logOf(owner, hook.id)).toMatchObject([{ state: 'dead', attempt: 1, error: 'the webhook is switched off' }]);

    receiver.answers(hook.path, 200);
    const tested = await api().post(`/api/webhooks/${hook.id}/test`, {}, owner.token);
    await control().drain();

    expect(tested.status).toBe(202);
    expect(receiver.at(hook.path).at(-1)?.id).toBe(tested.body['delivery_id']);
    expect(await webhookOf(owner, hook.id)).toMatchObject({ active: false });
  });
});

describe('changing and looking back', () => {
  it('behavior: a new address gets what waits for the old one', async () => {
    const { sender, owner } = await pair();
    const [hook, other] = [await register(owner), `/moved-${Date.now()}`];
    receiver.answers(hook.path, 500);
    await sendTo(sender, owner);
    await control().drain();
    const changed = await api().call('PATCH', `/api/webhooks/${hook.id}`, { body: { url: receiver.url(other) }, token: owner.token });
    await later(10);

    expect(changed.body).toMatchObject({ id: hook.id, url: receiver.url(other), active: true });
    expect(receiver.at(other).map(({ id }) => id)).toEqual([receiver.at(hook.path)[0]?.id]);
  });

  it('behavior: after a rotation both secrets sign for 24 hours, then the new one alone', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    const rotated = await api().post(`/api/webhooks/${hook.id}/rotate`, {}, owner.token);
    const secret = String(rotated.body['secret']);
    await sendTo(sender, owner);
    await control().drain();
    await control().advance(86_401);
    await sendTo(sender, owner);
    await control().drain();
    const [during, after] = receiver.at(hook.path);
    if (!during || !after) throw new Error('two deliveries were expected');

    expect(secret).not.toBe(hook.secret);
    expect([isSigned(during, hook.secret), isSigned(during, secret)]).toEqual([true, true]);
    expect(during.headers['x-service-signature']).toBe(bodySignature(secret, during.body));
    expect([isSigned(after, hook.secret), isSigned(after, secret)]).toEqual([false, true]);
  });

  it('behavior: a test is signed, told from real mail by its email id, and stands in the log', async () => {
    const owner = await newAgent(api());
    const hook = await register(owner);
    receiver.answers(hook.path, 204);
    const { status, body } = await api().post(`/api/webhooks/${hook.id}/test`, {}, owner.token, { 'idempotency-key': 'test' });
    const again = await api().post(`/api/webhooks/${hook.id}/test`, {}, owner.token, { 'idempotency-key': 'test' });
    await control().drain();
    const [event] = receiver.at(hook.path);

    expect([status, again.body]).toEqual([202, body]);
    expect(receiver.at(hook.path)).toHaveLength(1);
    expect(event && isSigned(event, hook.secret)).toBe(true);
    expect(MessageReceivedEvent.parse(event?.event).data.email_id).toBe('test');
    expect(await logOf(owner, hook.id)).toMatchObject([
      { id: body['delivery_id'], email_id: null, state: 'delivered', attempt: 1, status: 204 },
    ]);
  });

  it('behavior: the log pages through, newest first', async () => {
    const { sender, owner } = await pair();
    const hook = await register(owner);
    for (let i = 0; i < 5; i += 1) await sendTo(sender, owner, `mail ${i}`);
    await control().drain();
    const first = await api().get(`/api/webhooks/${hook.id}/deliveries?limit=3`, owner.token);
    const second = await api().get(`/api/webhooks/${hook.id}/deliveries?limit=3&cursor=${String(first.body['next_cursor'])}`, owner.token);
    const ids = [first, second].flatMap(({ body }) => (body['deliveries'] as { id: string }[]).map(({ id }) => id));

    expect(ids).toHaveLength(5);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(second.body['next_cursor']).toBeNull();
    expect((await api().get(`/api/webhooks/${hook.id}/deliveries?cursor=made-up`, owner.token)).status).toBe(400);
  });
});

describe('a job that was handed out twice', () => {
  it('behavior: is one attempt, even while the first one is still being made', async () => {
    const { sender, owner } = await pair();
    const { id, path } = await register(owner);
    // A good standing lets several functions call at once.
    await sendTo(sender, owner);
    await control().drain();
    receiver.answers(path, 'hang');
    const event = { type: 'message.received', emailId: 'x', body: '{"type":"message.received","data":{}}', createdAt: 1_800_000_000 };
    const job = { wallet: owner.wallet, webhookId: id, deliveryId: `${'0'.repeat(25)}7`, attempt: 1, deferrals: 0, event };
    const invoke = (messageId: string) =>
      control().call('POST', '/functions/invoke', {
        name: 'on-delivery-due',
        event: { Records: [{ messageId, body: JSON.stringify(job) }] },
      });
    await Promise.all([invoke('one'), invoke('two'), invoke('three')]);

    expect(receiver.at(path).filter((one) => one.id === job.deliveryId)).toHaveLength(1);
    expect((await logOf(owner, id)).find((row) => row['id'] === job.deliveryId)).toMatchObject({ attempt: 1 });
  }, 60_000);
});

describe('fairness', () => {
  it('behavior: beside endpoints that hang, redirect and fail, a good one gets each mail once, at the first attempt', async () => {
    const { sender, owner } = await pair();
    const [hanging, redirecting, failing, good] = [
      await register(owner),
      await register(owner),
      await register(owner),
      await register(owner),
    ];
    receiver.answers(hanging.path, 'hang');
    receiver.answers(redirecting.path, { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } });
    receiver.answers(failing.path, 500);
    const mails: string[] = [];
    for (let i = 0; i < 25; i += 1) mails.push(await sendTo(sender, owner, `mail ${i}`));
    await expect.poll(() => new Set(receiver.at(good.path).map(({ id }) => id)).size, { timeout: 50_000 }).toBe(mails.length);
    const told = receiver.at(good.path).map(({ event }) => String(event.data['email_id']));

    expect(told.toSorted()).toEqual(mails.toSorted());
    expect(await logOf(owner, good.id, '?limit=100')).toEqual(mails.map(() => expect.objectContaining({ state: 'delivered', attempt: 1 })));
    expect((await logOf(owner, redirecting.id)).at(-1)).toMatchObject({ status: 302, error: 'status 302: redirects are not followed' });
    // What hangs is called by one function at a time, ten at most, however much waits for it.
    expect(receiver.at(hanging.path).length).toBeLessThanOrEqual(25);
  });
});
