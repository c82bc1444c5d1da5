// Mail that comes in: who may write, who is told that it did not arrive, what goes to the operator, and what a death or a
// lost notification leaves behind (which is nothing).
import { describe, expect, it } from 'vitest';
import PostalMime from 'postal-mime';
import { type Agent, newAgent, newWallet } from '#test/support/agents.ts';
import { deliver, outbox, outboxWith, plainMessage } from '#test/support/outside-mail.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const DOMAIN = 'agents.localhost.test';

const rows = async (agent: Agent, folder = 'inbox'): Promise<Record<string, unknown>[]> =>
  (await running.current.api.get(`/api/inbox?folder=${folder}`, agent.token)).body['emails'] as Record<string, unknown>[];

const arrive = async (from: string, to: readonly string[], raw: string | Buffer): Promise<void> => {
  await deliver(running.current, { from, to, raw });
  await running.current.control.drain();
};

const bouncesFor = async (word: string): Promise<Buffer[]> =>
  (await outbox(running.current)).map(({ bytes }) => bytes).filter((bytes) => bytes.includes('delivery-status') && bytes.includes(word));

describe('who mail is for', () => {
  it('default: case and plus tags do not matter, blind copies count, and two names of one agent are one mail', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const [local] = alice.email.split('@');
    await arrive(
      'a@example.com',
      [`${local?.toUpperCase()}+news@${DOMAIN}`, alice.email, bob.email],
      plainMessage('a@example.com', 'list@example.com', 'Cases'),
    );

    expect(await rows(alice)).toMatchObject([{ subject: 'Cases' }]);
    expect(await rows(bob)).toMatchObject([{ subject: 'Cases', to_addr: bob.email }]);
  });

  it('behavior: the same message over two routes arrives once', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const message = plainMessage('a@example.com', alice.email, 'Twice');
    await arrive(
      'a@example.com',
      [alice.email],
      `Received: from one.example by two.example; Fri, 20 Nov 2026 10:00:00 +0000\r\n${message}`,
    );
    await arrive('a@example.com', [alice.email], message);

    expect((await api.get('/api/inbox', alice.token)).body).toMatchObject({ total: 1, unread: 1 });
  });

  it('behavior: mail for a wallet waits thirty days for it, and no longer', async () => {
    const { api, control } = running.current;
    const [soon, late] = [newWallet(), newWallet()];
    for (const key of [soon, late])
      await arrive('a@example.com', [`${key.address}@${DOMAIN}`], plainMessage('a@example.com', 'x@y.example', 'Early'));
    const agent = await newAgent(api, soon);
    expect((await api.get('/api/inbox', agent.token)).body).toMatchObject({ total: 1, unread: 1 });
    await control.advance(30 * 86_400 + 1);
    const tooLate = await newAgent(api, late);

    expect((await api.get('/api/inbox', tooLate.token)).body).toMatchObject({ total: 0, unread: 0, emails: [] });
    expect((await api.get('/api/inbox', (await newAgent(api, soon)).token)).body).toMatchObject({ total: 1 });
  });
});

describe('the order of arrival', () => {
  it('default: mails of one second are listed newest first', async () => {
    const alice = await newAgent(running.current.api);
    const subjects = ['one', 'two', 'three', 'four', 'five', 'six'];
    for (const subject of subjects)
      await deliver(running.current, {
        from: 'a@example.com',
        to: [alice.email],
        raw: plainMessage('a@example.com', alice.email, subject),
      });
    await running.current.control.drain();

    expect((await rows(alice)).map(({ subject }) => subject)).toEqual(subjects.toReversed());
  });
});

describe('who may write', () => {
  it.each([
    ['From of our domain', (to: string) => plainMessage(`postmaster@${DOMAIN}`, to, 'Forged one', ['X-Local-Dmarc: FAIL'])],
    ['From of a subdomain', (to: string) => plainMessage(`a@mail.${DOMAIN}`, to, 'Forged two', ['X-Local-Dmarc: GRAY'])],
    ['a second From', (to: string) => `From: x@example.com\r\n${plainMessage(`a@${DOMAIN}`, to, 'Forged three', ['X-Local-Dmarc: FAIL'])}`],
  ])('error: %s is refused without DMARC', async (_name, message) => {
    const { api } = running.current;
    const alice = await newAgent(api);
    await arrive('x@example.com', [alice.email], message(alice.email));

    expect(await rows(alice)).toEqual([]);
  });

  it('behavior: our domain is believed where DMARC passes', async () => {
    const alice = await newAgent(running.current.api);
    await arrive(`news@${DOMAIN}`, [alice.email], plainMessage(`news@${DOMAIN}`, alice.email, 'Vouched for'));

    expect(await rows(alice)).toMatchObject([{ subject: 'Vouched for', auth: { sender_verified: true } }]);
  });

  it('error: a message that passed more than 25 servers is refused', async () => {
    const alice = await newAgent(running.current.api);
    const hops = (count: number) => 'Received: from a.example by b.example; Fri, 20 Nov 2026 10:00:00 +0000\r\n'.repeat(count);
    await arrive('x@example.com', [alice.email], hops(25) + plainMessage('x@example.com', alice.email, 'Loop'));
    await arrive('x@example.com', [alice.email], hops(20) + plainMessage('x@example.com', alice.email, 'Long way'));

    expect((await rows(alice)).map((row) => row['subject'])).toEqual(['Long way']);
  });

  it('behavior: a virus goes to quarantine, not to the inbox', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    await arrive('x@example.com', [alice.email], plainMessage('x@example.com', alice.email, 'Infected', ['X-Local-Virus: FAIL']));

    expect((await api.get('/api/inbox', alice.token)).body).toMatchObject({ total: 0, unread: 0, emails: [] });
    expect(await rows(alice, 'quarantine')).toMatchObject([{ subject: 'Infected', auth: { virus: 'FAIL' } }]);
  });
});

describe('text that is cut for the list', () => {
  it('behavior: is cut between characters, so that the mail arrives', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const subject = `${'a'.repeat(199)}😀`;
    const encoded = `=?UTF-8?B?${Buffer.from(subject).toString('base64')}?=`;
    const name = `=?UTF-8?B?${Buffer.from(`${'n'.repeat(199)}😀`).toString('base64')}?= <m@example.com>`;
    await arrive('m@example.com', [alice.email], plainMessage(name, alice.email, encoded));
    const sent = await api.post('/api/send', { to: alice.email, subject, body: 'x' }, bob.token);

    expect(sent.status).toBe(200);
    expect((await rows(alice)).map((row) => row['subject'])).toEqual(['a'.repeat(199), 'a'.repeat(199)]);
  });
});

describe('an address out of the envelope', () => {
  it('error: is never verified, since DMARC vouches for From alone, and never one of ours', async () => {
    const { api } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const message = (subject: string) => plainMessage('"q q"@attacker.example', alice.email, subject);
    await arrive('ceo@bank.example', [alice.email], message('From the bank'));
    await arrive(bob.email, [alice.email], message('From Bob'));

    expect(await rows(alice)).toMatchObject([
      { subject: 'From the bank', from_addr: 'ceo@bank.example', auth: { dmarc: 'PASS', sender_verified: false } },
    ]);
  });
});

describe('bounces', () => {
  it('default: an unknown recipient is reported once a day, with the known one served', async () => {
    const { control } = running.current;
    const alice = await newAgent(running.current.api);
    const sender = 'frank@bounce-me.example';
    await arrive(sender, [`nobody-here@${DOMAIN}`, alice.email], plainMessage(sender, alice.email, 'To two'));
    await arrive(sender, [`nobody-else@${DOMAIN}`], plainMessage(sender, `nobody-else@${DOMAIN}`, 'Again'));
    const [report, ...others] = await bouncesFor(sender);

    expect(others).toEqual([]);
    expect(report?.toString()).toMatch(/Return-Path: <>/);
    expect(report?.toString()).toMatch(/Final-Recipient: rfc822; nobody-here@/);
    expect(await rows(alice)).toHaveLength(1);
    await control.advance(86_400);
    await arrive(sender, [`nobody-here@${DOMAIN}`], plainMessage(sender, `nobody-here@${DOMAIN}`, 'Next day'));
    expect(await bouncesFor(sender)).toHaveLength(2);
  });

  it('behavior: one that the provider has no time for is sent when the message comes again', async () => {
    const { control } = running.current;
    const sender = 'busy@bounce-me.example';
    await control.setFaults([{ service: 'ses', operation: 'SendBounce', effect: 'throttle', count: 1 }]);
    await arrive(sender, [`nobody-here@${DOMAIN}`], plainMessage(sender, `nobody-here@${DOMAIN}`, 'Unknown'));
    expect(await bouncesFor(sender)).toEqual([]);
    await control.advance(400);
    await control.drain();

    expect(await bouncesFor(sender)).toHaveLength(1);
  });

  it.each([
    ['without DMARC', 'g1@no-bounce.example', ['X-Local-Dmarc: FAIL']],
    ['to an automatic reply', 'g2@no-bounce.example', ['Auto-Submitted: auto-replied']],
    ['to list mail', 'g3@no-bounce.example', ['List-Id: <l.no-bounce.example>']],
    ['to bulk mail', 'g4@no-bounce.example', ['Precedence: bulk']],
    ['to a program', 'mailer-daemon@no-bounce.example', []],
    ['to an envelope of another domain without SPF', 'victim@bystander.example', ['X-Local-Spf: FAIL']],
  ])('behavior: none %s', async (_name, sender, extra) => {
    const from = sender.endsWith('bystander.example') ? 'x@no-bounce.example' : sender;
    await arrive(sender, [`nobody-here@${DOMAIN}`], plainMessage(from, `nobody-here@${DOMAIN}`, 'Unknown', extra));

    expect(await bouncesFor(sender)).toEqual([]);
  });

  it('behavior: none to an empty reverse-path', async () => {
    const before = await bouncesFor('nobody-null');
    await arrive('', [`nobody-null@${DOMAIN}`], plainMessage('h@example.com', `nobody-null@${DOMAIN}`, 'Report'));

    expect(await bouncesFor('nobody-null')).toEqual(before);
  });
});

describe("the operator's mailboxes", () => {
  it('behavior: a bounce to postmaster@ is not forwarded, since it may be the bounce of a forward', async () => {
    const before = (await outbox(running.current)).length;
    await arrive('', [`postmaster@${DOMAIN}`], plainMessage('mailer-daemon@example.com', `postmaster@${DOMAIN}`, 'Undeliverable'));

    expect(await outbox(running.current)).toHaveLength(before);
  });

  it('default: mail to postmaster@ goes on to the operator as a file, once', async () => {
    const original = plainMessage('i@example.com', `postmaster@${DOMAIN}`, 'Please look', ['X-Note: forward-test']);
    await arrive('i@example.com', [`Postmaster@${DOMAIN}`], original);
    const forwards = (await outbox(running.current)).filter(({ bytes }) => bytes.includes('auto-forwarded'));
    const [forward] = await Promise.all(forwards.map(({ bytes }) => PostalMime.parse(bytes)));

    expect(forwards).toHaveLength(1);
    expect(forward).toMatchObject({
      from: { address: `postmaster@${DOMAIN}` },
      to: [{ address: 'operator@localhost.test' }],
      subject: '[Postmaster] Please look',
    });
    expect(Buffer.from(forward?.attachments[0]?.content as ArrayBuffer).toString()).toContain('X-Note: forward-test');
  });
});

describe('nothing is lost', () => {
  it('default: 40 MB arrive, with their attachment', async () => {
    const { api } = running.current;
    const alice = await newAgent(api);
    const data = Buffer.alloc(27 * 1024 * 1024, 'large attachment ');
    const lines = (data.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n');
    const head = [
      'Message-ID: <large@example.com>',
      'From: l@example.com',
      `To: ${alice.email}`,
      'Subject: Large',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
    ];
    const raw = [
      ...head,
      '',
      '--b',
      '',
      'Text',
      '--b',
      'Content-Type: application/zip; name=large.zip',
      'Content-Disposition: attachment; filename=large.zip',
      'Content-Transfer-Encoding: base64',
      '',
      lines,
      '--b--',
      '',
    ].join('\r\n');
    await arrive('l@example.com', [alice.email], raw);
    const [row] = await rows(alice);
    const redirect = await api.get(`/api/inbox/${row?.['id']}/attachment/0`, alice.token);
    const file = await fetch(redirect.headers.get('location') ?? '');

    expect(Number(row?.['size'])).toBeGreaterThan(38_000_000);
    expect(redirect.status).toBe(307);
    expect(Buffer.from(await file.arrayBuffer()).equals(data)).toBe(true);
  }, 120_000);

  it('behavior: mail whose notification was lost is put in line again by the sweep, once', async () => {
    const { api, control } = running.current;
    const alice = await newAgent(api);
    // Every try of the function dies before it has done anything, until the message is among the dead letters.
    await control.setFaults([{ service: 's3', operation: 'GetObject', effect: 'error_500', count: 200 }]);
    await deliver(running.current, {
      from: 'j@example.com',
      to: [alice.email],
      raw: plainMessage('j@example.com', alice.email, 'Lost and found'),
    });
    for (let round = 0; round < 8; round += 1) {
      await control.drain();
      await control.advance(400);
    }
    await control.clearFaults();
    expect(await rows(alice)).toEqual([]);
    for (let round = 0; round < 2; round += 1) {
      await control.advance(900);
      await control.runSchedules();
      await control.drain();
    }

    expect(await rows(alice)).toMatchObject([{ subject: 'Lost and found', from_addr: 'j@example.com', auth: { dmarc: 'PASS' } }]);
  }, 120_000);

  it.each(['crash_after', 'crash_before'])(
    'behavior: %s on each call of the function in turn leaves the mail there once',
    async (effect) => {
      const { api, control } = running.current;
      const [alice, bob] = [await newAgent(api), await newAgent(api)];
      const CALLS = 16;
      for (let after = 0; after < CALLS; after += 1) {
        await control.setFaults([{ service: '*', operation: '*', after, effect }]);
        const boundary = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
        const body =
          '--b\r\n\r\nText\r\n--b\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment\r\n\r\nattached\r\n--b--\r\n';
        const raw = `${plainMessage('k@example.com', alice.email, `Crash ${after}`, boundary).replace(/\r\n\r\n.*$/s, '')}\r\n\r\n${body}`;
        await deliver(running.current, { from: 'k@example.com', to: [alice.email, bob.email], raw });
        await control.drain();
        await control.clearFaults();
        // A message whose function died comes back when its visibility ends.
        await control.advance(400);
        await control.drain();
      }

      const wanted = Array.from({ length: CALLS }, (_, index) => `Crash ${index}`).sort();
      for (const agent of [alice, bob]) {
        const listed = (await api.get('/api/inbox?limit=100', agent.token)).body;
        const emails = listed['emails'] as Record<string, unknown>[];
        expect(emails.map((row) => String(row['subject'])).sort()).toEqual(wanted);
        expect(listed).toMatchObject({ total: CALLS, unread: CALLS });
        const file = await api.get(`/api/inbox/${emails[0]?.['id']}/attachment/0`, agent.token);
        expect(Buffer.from(file.bytes).toString().trim()).toBe('attached');
      }
    },
    240_000,
  );
});

describe('the digest', () => {
  it('default: nobody gets one unasked; who asked gets one a day while there is unread mail', async () => {
    const { api, control } = running.current;
    const [alice, bob] = [await newAgent(api), await newAgent(api)];
    const unread = (agent: Agent) => api.post('/api/send', { to: agent.email, subject: 'Secret subject', body: 'x' }, agent.token);
    await unread(alice);
    await unread(bob);
    await api.put('/api/settings', { notification_email: 'human@example.com' }, alice.token);
    const run = async (): Promise<void> => {
      await control.runSchedules();
      await control.runSchedules();
      await control.drain();
    };
    await control.advance(86_400);
    await run();
    const digests = await outboxWith(running.current, 'auto-generated');
    expect(digests).toHaveLength(1);
    expect(digests[0]).toMatchObject({ to: [{ address: 'human@example.com' }], subject: `1 unread message for ${alice.handle}` });
    expect(digests[0]?.text).not.toContain('Secret subject');
    await control.advance(86_400);
    await run();
    expect(await outboxWith(running.current, 'auto-generated')).toHaveLength(2);
    // Signed in again: two days are more than a token lives.
    const { token } = await newAgent(api, alice.key);
    expect((await api.put('/api/settings', { notification_email: null }, token)).status).toBe(200);
    await control.advance(86_400);
    await run();

    expect(await outboxWith(running.current, 'auto-generated')).toHaveLength(2);
  }, 120_000);
});
