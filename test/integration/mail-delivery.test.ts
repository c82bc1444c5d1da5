// What becomes of mail that left: its states, the addresses and senders that are stopped, its limits, and its threads.
import PostalMime from 'postal-mime';
import { afterEach, describe, expect, it } from 'vitest';
import { type Agent, newAgent } from '#test/support/agents.ts';
import type { ApiReply } from '#test/support/api-client.ts';
import { deliver, outbox, outboxWith } from '#test/support/outside-mail.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();

afterEach(() => running.current.control.clearFaults());

const send = (from: Agent, to: string, extra: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<ApiReply> =>
  running.current.api.post('/api/send', { to, subject: 'Hello', body: 'Words', ...extra }, from.token, headers);

const idOf = ({ body }: ApiReply): string => String(body['email_id']);

const rows = async (agent: Agent, folder = 'inbox'): Promise<Record<string, unknown>[]> =>
  (await running.current.api.get(`/api/inbox?folder=${folder}`, agent.token)).body['emails'] as Record<string, unknown>[];

const deliveryOf = async (agent: Agent, id: string): Promise<unknown> =>
  (await rows(agent, 'sent')).find((row) => row['id'] === id)?.['delivery'];

const creditsOf = async (agent: Agent): Promise<unknown> => {
  const { control } = running.current;
  await control.drain();
  const probe = await send(agent, `probe-${agent.handle.slice(2, 8)}@example.com`);
  return Number(probe.body['credits']) + 1;
};

/** As the operator's command does. */
const resume = async (sender: string): Promise<unknown> =>
  (await running.current.control.call<{ payload: unknown }>('POST', '/functions/invoke', { name: 'on-sender-resumed', event: { sender } }))
    .payload;

const wireIdOf = async (emailId: string): Promise<string> => {
  const mail = (await outbox(running.current)).find(({ bytes }) => bytes.includes(emailId));
  return (await PostalMime.parse(mail?.bytes ?? '')).messageId ?? '';
};

describe('delivery', () => {
  it('default: a bounce moves it on, closes the address with a hint, and keeps the credit', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    const sent = await send(alice, 'bounce@simulator.amazonses.com');
    await control.drain();

    expect(await deliveryOf(alice, idOf(sent))).toBe('bounced');
    const again = await send(alice, 'Bounce@simulator.amazonses.com');
    expect([again.status, again.body['code']]).toEqual([400, 'recipient_suppressed']);
    expect(again.body['hint']).toContain('suppression list');
    expect(await creditsOf(alice)).toBe(9);
    expect((await send(await newAgent(api), 'bounce@simulator.amazonses.com')).status).toBe(200);
  });

  it('default: a complaint moves it on and closes the address', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    const sent = await send(alice, 'complaint@simulator.amazonses.com');
    await control.drain();

    expect(await deliveryOf(alice, idOf(sent))).toBe('complained');
    expect((await send(alice, 'complaint@simulator.amazonses.com')).body['code']).toBe('recipient_suppressed');
  });

  it('behavior: five hard bounces among the last fifty stop the sender, even when it deletes its copies', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    for (let i = 0; i < 5; i += 1) {
      const sent = await send(alice, `bounce+${i}@simulator.amazonses.com`);
      expect(sent.status).toBe(200);
      await api.delete(`/api/inbox/${idOf(sent)}`, alice.token);
    }
    await control.drain();
    const paused = await send(alice, 'someone@example.com');

    expect([paused.status, paused.body['code']]).toEqual([400, 'sender_paused']);
    expect((await send(alice, alice.email)).status).toBe(200);

    expect(await resume(alice.wallet.toUpperCase().replace('0X', '0x'))).toEqual({ wallet: alice.wallet, was_paused: true });
    expect(await resume(alice.handle)).toEqual({ wallet: alice.wallet, was_paused: false });
    expect(await resume('nobody-here')).toEqual({ error: 'nobody-here: not_found' });
    expect((await send(alice, 'someone@example.com')).status).toBe(200);
    expect((await send(alice, 'bounce+1@simulator.amazonses.com')).body['code']).toBe('recipient_suppressed');
  });

  it('behavior: a call whose answer is lost is answered queued, sent once, and settled by the event', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    await control.setFaults([{ service: 'ses', operation: 'SendRawEmail', effect: 'timeout_after_commit' }]);
    const sent = await send(alice, 'lost-answer@example.com');
    await control.drain();
    await control.advance(3600);
    await control.runSchedules();
    await control.drain();

    expect(sent.body).toMatchObject({ delivery: 'queued', credits: 9 });
    expect(await outboxWith(running.current, idOf(sent))).toHaveLength(1);
    expect(await deliveryOf(alice, idOf(sent))).toBe('delivered');
    expect(await creditsOf(alice)).toBe(9);
  }, 60_000);

  it('behavior: a call that never arrived is given up after 15 minutes with the credit back, and never sent', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    await control.setFaults([{ service: 'ses', operation: 'SendRawEmail', effect: 'timeout' }]);
    const sent = await send(alice, 'never-arrived@example.com');
    await control.drain();
    await control.advance(960);
    await control.runSchedules();
    await control.drain();

    expect(sent.body).toMatchObject({ delivery: 'queued', credits: 9 });
    expect(await outboxWith(running.current, idOf(sent))).toHaveLength(0);
    expect(await deliveryOf(alice, idOf(sent))).toBe('failed');
    expect(await creditsOf(alice)).toBe(10);
  }, 60_000);

  it('error: a definite refusal is 500, gives the credit back and counts nowhere', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    await control.setFaults([{ service: 'ses', operation: 'SendRawEmail', effect: 'throttle', count: 5 }]);
    const refused = await send(alice, 'refused@example.com');
    await control.clearFaults();
    const sent = await send(alice, 'taken@example.com');

    expect([refused.status, refused.body['code']]).toEqual([500, 'delivery_failed']);
    expect(sent.body).toMatchObject({ credits: 9 });
    expect(sent.headers.get('ratelimit-remaining')).toBe('9');
  });
});

describe('a failure on our side', () => {
  it('behavior: an answer of the table that never comes is asked for again, and the mail is there once', async () => {
    const { api, control } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    await send(alice, bob.email);
    for (const effect of ['timeout', 'timeout_after_commit']) {
      await control.setFaults([{ service: 'dynamodb', operation: 'TransactWriteItems', effect, count: 1 }]);
      expect((await send(alice, bob.email, { subject: effect })).status).toBe(200);
    }

    expect((await rows(bob)).map((row) => row['subject']).sort()).toEqual(['Hello', 'timeout', 'timeout_after_commit']);
  }, 60_000);

  it('behavior: counts on no limit, outside or for a wallet without an account', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    const stranger = `0x${'7'.repeat(40)}@agents.localhost.test`;
    // Read once, so that what fails below is the commit and nothing before it.
    await send(alice, alice.email);
    for (const to of ['someone@example.com', stranger]) {
      for (let i = 0; i < 10; i += 1) {
        await control.setFaults([{ service: 'dynamodb', operation: 'TransactWriteItems', effect: 'error_500', count: 20 }]);
        expect((await send(alice, to)).status).toBeGreaterThanOrEqual(500);
      }
      await control.clearFaults();
      expect((await send(alice, to)).status).toBe(200);
    }
  }, 120_000);
});

describe('the topic of events', () => {
  it('behavior: what SES says to try the topic is no event, and no dead letter', async () => {
    const text = 'Successfully validated SNS topic for Amazon SES event publishing.';
    const { payload } = await running.current.control.call<{ payload: unknown }>('POST', '/functions/invoke', {
      name: 'on-ses-event',
      event: {
        Records: [
          { messageId: 'one', body: text },
          { messageId: 'two', body: 'nonsense' },
        ],
      },
    });

    expect(payload).toEqual({ batchItemFailures: [{ itemIdentifier: 'two' }] });
  });
});

describe('limits on sending', () => {
  it('default: external mail shows both policies and the one with the least left', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const sent = await send(alice, 'limits@example.com', {}, { 'x-forwarded-for': '192.0.2.10' });

    expect(sent.headers.get('ratelimit-limit')).toBe('10');
    expect(sent.headers.get('ratelimit-remaining')).toBe('9');
    expect(sent.headers.get('ratelimit-policy')).toBe('"send-ip";q=30;w=3600, "send-handle";q=10;w=3600');
    expect(sent.headers.get('ratelimit')).toMatch(/"send-ip";r=29;t=\d+, "send-handle";r=9;t=\d+/);
  });

  it('behavior: mail inside shows the policy unchanged', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const first = await send(alice, alice.email, {}, { 'x-forwarded-for': '192.0.2.11' });
    const second = await send(alice, alice.email, {}, { 'x-forwarded-for': '192.0.2.11' });

    expect([first, second].map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['10', '10']);
    expect(first.headers.get('retry-after')).toBeNull();
  });

  it('error: the eleventh external mail of an hour is 429 with Retry-After; the address is not charged for it', async () => {
    const { api, control } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    // At the beginning of a window, so that it cannot roll over in between.
    const now = await control.advance(0);
    await control.advance(3600 - (now % 3600));
    const from = { 'x-forwarded-for': '192.0.2.12' };
    for (let i = 0; i < 10; i += 1) expect((await send(alice, `p${i}@example.com`, {}, from)).status).toBe(200);
    const refused = await send(alice, 'p11@example.com', {}, from);

    expect([refused.status, refused.body['code']]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(bob, 'q@example.com', {}, from)).headers.get('ratelimit')).toContain('"send-ip";r=19');
  }, 60_000);

  it('behavior: counters that cannot be written let the mail through', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    await control.setFaults([{ service: 'dynamodb', operation: 'UpdateItem', effect: 'error_500', count: 20 }]);

    expect((await send(alice, 'failing-open@example.com')).status).toBe(200);
  });
});

describe('a thread', () => {
  it('default: three agents and one outside client stay one thread, also where SES put another id on the wire', async () => {
    const { api, control } = running.current;
    const [alice, bob, carol] = [await newAgent(api), await newAgent(api), await newAgent(api)];
    const first = await send(alice, 'dave@example.com', { subject: 'Plan' });
    const wire = await wireIdOf(idOf(first));
    expect(wire).toContain('amazonses.com');
    // A simple client: it names only the id that it saw.
    const answer = [
      'Message-ID: <dave-1@example.com>',
      'From: dave@example.com',
      `To: ${alice.email}`,
      'Subject: Re: Plan',
      `In-Reply-To: ${wire}`,
      '',
      'Yes',
    ];
    await deliver(running.current, { from: 'dave@example.com', to: [alice.email], raw: answer.join('\r\n') });
    await control.drain();
    const received = (await rows(alice)).find((row) => row['subject'] === 'Re: Plan');
    const toBob = await send(alice, bob.email, { in_reply_to: received?.['id'], subject: 'Fwd: Plan' });
    const toCarol = await send(bob, carol.email, { in_reply_to: idOf(toBob), subject: 'Fwd: Plan' });
    const toDave = await send(carol, 'dave@example.com', { in_reply_to: idOf(toCarol), subject: 'Re: Plan' });

    const [last] = await outboxWith(running.current, idOf(toDave));
    const own = (reply: ApiReply): string => `<${idOf(reply)}@agents.localhost.test>`;
    expect(last?.references?.split(/\s+/)).toEqual([own(first), wire, '<dave-1@example.com>', own(toBob), own(toCarol), own(toDave)]);
    expect(last?.inReplyTo).toBe(own(toCarol));
  });

  it('behavior: an answer to the wire id alone joins the thread that the agent began', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    const first = await send(alice, 'erin@example.com', { subject: 'Question' });
    await control.drain();
    const wire = await wireIdOf(idOf(first));
    const follow = await send(alice, 'erin@example.com', { subject: 'Question, again', in_reply_to: idOf(first) });

    const [mail] = await outboxWith(running.current, idOf(follow));
    expect(mail?.inReplyTo).toBe(wire);
    expect(mail?.references).toContain(wire);
    expect(mail?.references).toContain(`<${idOf(first)}@agents.localhost.test>`);
  });

  it('behavior: two programs that answer each other are stopped', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    let [from, to, parent] = [alice, bob, idOf(await send(alice, bob.email))];
    let status = 200;
    for (let i = 0; i < 130 && status === 200; i += 1) {
      [from, to] = [to, from];
      const reply = await send(from, to.email, { in_reply_to: parent });
      status = reply.status;
      parent = idOf(reply);
    }

    expect(status).toBe(429);
    expect((await send(from, to.email)).status).toBe(200);
  }, 120_000);

  it('behavior: answers that were refused use up nothing, and nobody can use up the share of another', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const first = await send(alice, bob.email);
    const [received] = await rows(bob);
    for (let i = 0; i < 65; i += 1) {
      expect((await send(bob, 'nobody-here@agents.localhost.test', { in_reply_to: received?.['id'] })).status).toBe(404);
    }
    expect((await send(bob, alice.email, { in_reply_to: received?.['id'] })).status).toBe(200);
    const [answer] = await rows(alice);
    expect((await send(alice, bob.email, { in_reply_to: answer?.['id'] })).status).toBe(200);
    expect(first.status).toBe(200);
  }, 60_000);
});

describe("mail to the operator's mailboxes", () => {
  it('default: leaves for the operator, free, and stands in sent', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const sent = await send(alice, 'Abuse+now@agents.localhost.test', { subject: 'A complaint' });

    expect(sent.body).toMatchObject({ success: true, internal: true });
    expect(await rows(alice, 'sent')).toMatchObject([{ id: idOf(sent), subject: 'A complaint' }]);
    const [mail] = await outboxWith(running.current, idOf(sent));
    expect(mail).toMatchObject({ subject: 'A complaint', from: { address: alice.email } });
  });
});
