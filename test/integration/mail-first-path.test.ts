// Mail, the first path: between agents, out to the world, and in from it, on the running stack.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { type Agent, newAgent, newWallet } from '#test/support/agents.ts';
import type { ApiReply } from '#test/support/api-client.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();

interface Row {
  readonly id: string;
  readonly read: number;
  readonly subject: string;
  readonly attn_status: string | null;
  readonly delivery: string | null;
  readonly [field: string]: unknown;
}

const rowsOf = ({ body }: ApiReply): Row[] => body['emails'] as Row[];

const send = (from: Agent, to: string, extra: Record<string, unknown> = {}) =>
  running.current.api.post('/api/send', { to, subject: 'Hello', body: 'Some **bold** words', ...extra }, from.token);

const outboxMails = async (): Promise<string[]> => {
  const folder = running.current.stack.outbox_dir;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml'));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
};

describe('mail between agents', () => {
  it('is one message with one id on both sides, staked, and refunded when it is read', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const sent = await send(alice, bob.email);
    expect(sent.body).toMatchObject({
      success: true,
      internal: true,
      attn: { staked: true, amount: 3, reason: 'cold_email', balance_after: 47 },
    });
    const id = String(sent.body['email_id']);
    const inbox = await api.get('/api/inbox', bob.token);
    expect(inbox.body).toMatchObject({ total: 1, unread: 1 });
    expect(rowsOf(inbox)[0]).toMatchObject({
      id,
      read: 0,
      attn_stake: 3,
      attn_status: 'pending',
      from_addr: alice.email,
      snippet: 'Some **bold** words',
    });
    const detail = await api.get(`/api/inbox/${id}`, bob.token);
    expect(detail.body).toMatchObject({ id, read: 1, attn_status: 'refunded' });
    expect(detail.body['body']).toContain('<strong>bold</strong>');
    expect((await api.get('/api/inbox', bob.token)).body['unread']).toBe(0);
    expect(rowsOf(await api.get('/api/inbox?folder=sent', alice.token))[0]).toMatchObject({ id, read: 1 });
    expect((await send(alice, bob.email)).body['attn']).toMatchObject({ balance_after: 47 });
  });

  it('lists staked mail first and pages by cursor and by offset alike', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) ids.push(String((await send(alice, bob.email, { subject: `mail ${i}` })).body['email_id']));
    await api.get(`/api/inbox/${ids[6]}`, bob.token);
    const expected = [ids[5], ids[4], ids[3], ids[2], ids[1], ids[0], ids[6]];
    const byOffset = [
      ...rowsOf(await api.get('/api/inbox?limit=4', bob.token)),
      ...rowsOf(await api.get('/api/inbox?limit=4&offset=4', bob.token)),
    ];
    expect(byOffset.map(({ id }) => id)).toEqual(expected);
    const first = await api.get('/api/inbox?limit=4', bob.token);
    const second = await api.get(`/api/inbox?limit=4&cursor=${first.body['next_cursor']}`, bob.token);
    expect([...rowsOf(first), ...rowsOf(second)].map(({ id }) => id)).toEqual(expected);
  });

  it('gives mail to oneself two rows', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const sent = await send(alice, alice.email);
    const id = String(sent.body['email_id']);
    expect(sent.body['attn']).toMatchObject({ staked: false, reason: 'self' });
    expect(rowsOf(await api.get('/api/inbox', alice.token)).map((row) => row.id)).toEqual([id]);
    expect(rowsOf(await api.get('/api/inbox?folder=sent', alice.token)).map((row) => row.id)).toEqual([`${id}-sent`]);
  });

  it('answers 404 for an unknown recipient and keeps mail for a wallet that registers later', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    expect((await send(alice, 'nobody-of-that-name@agents.localhost.test')).status).toBe(404);
    const key = newWallet();
    const stored = await send(alice, `${key.address}@agents.localhost.test`);
    expect(stored.body['attn']).toMatchObject({ staked: false, reason: 'prestored' });
    const late = await newAgent(api, key);
    expect((await api.get('/api/inbox', late.token)).body).toMatchObject({ total: 1, unread: 1 });
  });

  it('threads an answer and stakes 1 for it in a thread that the recipient began', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const id = String((await send(alice, bob.email)).body['email_id']);
    const reply = await send(bob, alice.email, { in_reply_to: id, subject: 'Re: Hello' });
    expect(reply.body['attn']).toMatchObject({ amount: 1, reason: 'reply_thread' });
    const raw = await api.get(`/api/inbox/${reply.body['email_id']}/raw`, alice.token);
    const parsed = await PostalMime.parse(raw.bytes);
    expect(parsed.inReplyTo).toBe(`<${id}@agents.localhost.test>`);
    expect(parsed.references).toContain(`<${id}@agents.localhost.test>`);
    expect((await send(bob, alice.email, { in_reply_to: 'unknown' })).status).toBe(404);
  });

  it('marks a whole folder read, deletes one copy only, and hides it from everyone else', async () => {
    const { api } = running.current;
    const [alice, bob, eve] = [await newAgent(api), await newAgent(api), await newAgent(api)];
    const ids = await Promise.all(Array.from({ length: 5 }, async () => String((await send(alice, bob.email)).body['email_id'])));
    expect((await api.get(`/api/inbox/${ids[0]}`, eve.token)).body['error']).toBe('Email not found');
    const marked = await api.post('/api/inbox/mark-read', {}, bob.token);
    expect(marked.body).toMatchObject({ success: true, folder: 'inbox', unread: 0 });
    expect(rowsOf(await api.get('/api/inbox', bob.token)).map((row) => row.attn_status)).toEqual(
      Array.from({ length: 5 }, () => 'refunded'),
    );
    expect((await api.delete(`/api/inbox/${ids[0]}`, bob.token)).status).toBe(200);
    expect((await api.delete(`/api/inbox/${ids[0]}`, bob.token)).status).toBe(404);
    expect((await api.get(`/api/inbox/${ids[0]}`, alice.token)).status).toBe(200);
    expect((await api.get('/api/inbox', bob.token)).body).toMatchObject({ total: 4, unread: 0 });
  });

  it('serves attachments as they were sent, as downloads', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const data = Buffer.from('binary \0 bytes').toString('base64');
    const contentType = 'text/html; charset=iso-8859-1';
    const sent = await send(alice, bob.email, { attachments: [{ filename: '../etc/pässwd.txt', content_type: contentType, data }] });
    expect(sent.body['attachments']).toBe(1);
    const path = `/api/inbox/${sent.body['email_id']}`;
    const file = await api.get(`${path}/attachment/0`, bob.token);
    expect(Buffer.from(file.bytes).toString()).toBe('binary \0 bytes');
    expect(file.headers.get('content-type')).toBe(contentType);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(file.headers.get('content-security-policy')).toContain('sandbox');
    expect((await api.get(`${path}/attachment/1`, bob.token)).status).toBe(404);
    expect((await api.get(`${path}/attachment/x`, bob.token)).status).toBe(404);
  });

  it('sends once for a repeated Idempotency-Key', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const body = { to: bob.email, subject: 'once', body: 'only' };
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => api.post('/api/send', body, alice.token, { 'idempotency-key': '"k1"' })),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect((await api.get('/api/inbox', bob.token)).body['total']).toBe(1);
  });
});

describe('mail to the outside', () => {
  it('leaves a whole message in the outbox and moves delivery on', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    const sent = await send(alice, 'someone@example.com', { subject: 'Grüße aus dem Test' });
    expect(sent.body).toMatchObject({ internal: false, delivery: 'sent', credits: 9 });
    const id = String(sent.body['email_id']);
    const mail = (await outboxMails()).find((text) => text.includes(id));
    const parsed = await PostalMime.parse(mail ?? '');
    expect(parsed).toMatchObject({
      subject: 'Grüße aus dem Test',
      from: { address: alice.email },
      to: [{ address: 'someone@example.com' }],
    });
    expect(parsed.text).toContain('Some **bold** words');
    expect(parsed.html).toContain('<strong>bold</strong>');
    await control.drain();
    expect(rowsOf(await api.get('/api/inbox?folder=sent', alice.token))[0]?.delivery).toBe('delivered');
  });

  it('spends exactly ten credits for forty sends at once, and answers 402 after the hour', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    const before = (await outboxMails()).length;
    const replies = await Promise.all(Array.from({ length: 40 }, (_, i) => send(alice, `p${i}@example.com`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect((await outboxMails()).length - before).toBe(10);
    await control.advance(3600);
    const refused = await send(alice, 'one-more@example.com');
    expect([refused.status, refused.body['code'], refused.body['credits']]).toEqual([402, 'out_of_credits', 0]);
    expect(Object.keys(refused.body['upgrade'] as object).sort()).toEqual(['dashboard', 'docs', 'how_to', 'message', 'pricing']);
  });
});

describe('mail from the outside', () => {
  it('arrives once in each recipient inbox, decoded, and raw from its first header on', async () => {
    const { api, control, stack } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const message = [
      'Message-ID: <outside-1@example.com>',
      'From: =?utf-8?B?SsO8cmdlbg==?= <jurgen@example.com>',
      `To: ${alice.email}`,
      'Subject: =?utf-8?Q?Caf=C3=A9?=',
      'Date: Fri, 20 Nov 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('Liebe Grüße').toString('base64'),
      '--b',
      'Content-Type: application/pdf; version=1.7; name=a.pdf',
      'Content-Disposition: attachment; filename=a.pdf',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('%PDF-1').toString('base64'),
      '--b--',
      '',
    ].join('\r\n');
    const transport = createTransport({ host: stack.smtp.host, port: stack.smtp.port, secure: false, ignoreTLS: true });
    await transport.sendMail({ envelope: { from: 'jurgen@example.com', to: [alice.email, bob.email] }, raw: message });
    await control.drain();
    for (const agent of [alice, bob]) {
      const inbox = await api.get('/api/inbox', agent.token);
      expect(rowsOf(inbox)).toHaveLength(1);
      const row = rowsOf(inbox)[0];
      expect(row).toMatchObject({
        from_addr: 'jurgen@example.com',
        from_name: 'Jürgen',
        to_addr: agent.email,
        subject: 'Café',
        snippet: 'Liebe Grüße',
        has_attachments: true,
      });
      expect(row?.['auth']).toMatchObject({ spf: 'PASS', dmarc: 'PASS', sender_verified: true });
      const raw = Buffer.from((await api.get(`/api/inbox/${row?.id}/raw`, agent.token)).bytes).toString('latin1');
      expect(raw.endsWith(Buffer.from(message).toString('latin1'))).toBe(true);
      const file = await api.get(`/api/inbox/${row?.id}/attachment/0`, agent.token);
      expect(Buffer.from(file.bytes).toString()).toBe('%PDF-1');
      expect(file.headers.get('content-type')).toBe('application/pdf; version=1.7');
    }
  });
});
