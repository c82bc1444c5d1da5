// Mail over SMTP becomes an object and a notification, as SES makes them of it.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { converse, NOW_MS, ruleFor, startWorld, TOPIC_ARN, type World } from './smtp-fixture.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

const RAW = [
  'From: =?utf-8?B?w4ZnaXI=?= Example <aegir@sender.test>',
  'To: "One, Agent" <one@agents.test>, outsider@elsewhere.test',
  'Cc: three@agents.test',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
  ' =?utf-8?Q?_aus?= Test',
  'Date: Fri, 20 Nov 2026 11:59:00 +0000',
  'Message-ID: <abc@sender.test>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain',
  '',
  '.a line that begins with a dot',
  '..two dots',
  '--x',
  'Content-Type: application/octet-stream',
  'Content-Disposition: attachment; filename=a.bin',
  'Content-Transfer-Encoding: base64',
  '',
  'AAEC',
  '--x--',
  '',
].join('\r\n');

const send = (raw: string | Buffer, to: string[], from = 'bounces@sender.test') =>
  world.transport().sendMail({ raw, envelope: { from, to } });

describe('an accepted mail', () => {
  test('is stored once for many recipients, blind ones too, with the original bytes after what SES puts before', async () => {
    const { response } = await send(RAW, ['one@agents.test', 'hidden@agents.test']);

    const [notification, ...others] = world.notifications();
    expect(others).toEqual([]);
    if (notification === undefined) throw new Error('no notification');
    expect(response).toBe(`250 OK ${notification.mail.messageId}`);
    const object = await world.stored(notification);
    const start = object.indexOf('From: =?utf-8?B?');
    expect(object.subarray(start).equals(Buffer.from(RAW))).toBe(true);
    const stamped = object.subarray(0, start).toString();
    expect(
      stamped
        .trimEnd()
        .split('\r\n')
        .map((line) => line.slice(0, line.indexOf(':'))),
    ).toEqual([
      'Return-Path',
      'Received',
      'X-SES-Spam-Verdict',
      'X-SES-Virus-Verdict',
      'Received-SPF',
      'Authentication-Results',
      'X-SES-RECEIPT',
    ]);
    expect(stamped).not.toContain('hidden@agents.test');
  });

  test('is announced as SES announces it', async () => {
    await send(RAW, ['one@agents.test', 'hidden@agents.test']);

    const [notification] = world.notifications();
    const messageId = notification?.mail.messageId ?? '';
    expect(messageId).toMatch(/^[a-z0-9]{40}$/);
    const pass = { status: 'PASS' };
    expect(notification).toEqual({
      notificationType: 'Received',
      mail: {
        timestamp: new Date(NOW_MS).toISOString(),
        source: 'bounces@sender.test',
        messageId,
        destination: ['one@agents.test', 'outsider@elsewhere.test', 'three@agents.test'],
        headersTruncated: false,
        headers: expect.arrayContaining([
          { name: 'Return-Path', value: '<bounces@sender.test>' },
          { name: 'Subject', value: 'Grüße aus Test' },
          { name: 'Content-Type', value: 'multipart/mixed; boundary=x' },
        ]),
        commonHeaders: {
          returnPath: 'bounces@sender.test',
          from: ['Ægir Example <aegir@sender.test>'],
          date: 'Fri, 20 Nov 2026 11:59:00 +0000',
          to: ['"One, Agent" <one@agents.test>', 'outsider@elsewhere.test'],
          cc: ['three@agents.test'],
          messageId: '<abc@sender.test>',
          subject: 'Grüße aus Test',
        },
      },
      receipt: {
        timestamp: new Date(NOW_MS).toISOString(),
        processingTimeMillis: expect.any(Number),
        recipients: ['one@agents.test', 'hidden@agents.test'],
        spamVerdict: pass,
        virusVerdict: pass,
        spfVerdict: pass,
        dkimVerdict: pass,
        dmarcVerdict: pass,
        action: {
          type: 'S3',
          topicArn: TOPIC_ARN,
          bucketName: 'mail-bucket',
          objectKeyPrefix: 'inbound/',
          objectKey: `inbound/${messageId}`,
        },
      },
    });
  });

  test('for one recipient names them in the Received line', async () => {
    await send(RAW, ['one@agents.test']);
    const received = world.notifications()[0]?.mail.headers.find((header) => header.name === 'Received')?.value;
    expect(received).toMatch(
      /^from \S+ \(\S+ \[127\.0\.0\.1\]\) by \S+ with SMTP id [a-z0-9]{40} for one@agents\.test; Fri, 20 Nov 2026 12:00:00 \+0000 \(UTC\)$/,
    );
  });

  test('may have an empty envelope sender, as bounces do', async () => {
    await converse(world.smtp, 'EHLO there', 'MAIL FROM:<>', 'RCPT TO:<one@agents.test>', 'DATA', 'Subject: bounce\r\n\r\nx\r\n.');
    expect(world.notifications()[0]?.mail).toMatchObject({ source: '', commonHeaders: { returnPath: '', subject: 'bounce' } });
  });

  test('keeps bytes that are no text, and a body without headers', async () => {
    const body = Buffer.concat([
      Buffer.from('\r\n'),
      randomBytes(2000).filter((byte) => byte !== 10 && byte !== 13 && byte !== 46),
      Buffer.from('\r\n'),
    ]);
    const dot = Buffer.from('.\r\n');
    await converse(world.smtp, 'EHLO there', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@agents.test>', 'DATA', Buffer.concat([body, dot]));
    const [notification] = world.notifications();
    if (notification === undefined) throw new Error('no notification');
    const object = await world.stored(notification);
    expect(object.subarray(-body.length).equals(body)).toBe(true);
  });

  test('of 25 MB goes to the bucket in parts and comes out whole', async () => {
    const line = `${'x'.repeat(70)}\r\n`;
    const raw = `Subject: large\r\n\r\n${line.repeat(350_000)}`;
    await send(raw, ['one@agents.test']);
    const [notification] = world.notifications();
    if (notification === undefined) throw new Error('no notification');
    const object = await world.stored(notification);
    expect(object.subarray(-raw.length).equals(Buffer.from(raw))).toBe(true);
  });

  test('with more than 10 KB of headers is announced with the first of them', async () => {
    const many = Array.from({ length: 200 }, (_none, index) => `X-Filler-${index}: ${'y'.repeat(100)}\r\n`).join('');
    await send(`${many}Subject: late\r\n\r\nbody\r\n`, ['one@agents.test']);
    const mail = world.notifications()[0]?.mail;
    expect(mail?.headersTruncated).toBe(true);
    expect(mail?.headers.length).toBeLessThan(110);
    expect(mail?.commonHeaders['subject']).toBe('late');
  });
});

describe('verdicts', () => {
  test('are those that the mail asks for', async () => {
    const wishes =
      'X-Local-Spf: FAIL\r\nX-Local-Dkim: gray\r\nX-Local-Dmarc: FAIL reject\r\nX-Local-Spam: PROCESSING_FAILED\r\nX-Local-Virus: FAIL\r\n';
    await send(`${wishes}From: a@sender.test\r\n\r\nbody\r\n`, ['one@agents.test']);
    const notification = world.notifications()[0];
    expect(notification?.receipt).toMatchObject({
      spfVerdict: { status: 'FAIL' },
      dkimVerdict: { status: 'GRAY' },
      dmarcVerdict: { status: 'FAIL' },
      dmarcPolicy: 'reject',
      spamVerdict: { status: 'PROCESSING_FAILED' },
      virusVerdict: { status: 'FAIL' },
    });
    expect(notification?.mail.headers).toContainEqual({ name: 'X-SES-Virus-Verdict', value: 'FAIL' });
  });

  test('of scans read DISABLED where the rule does not scan', async () => {
    world.rules = [{ ...ruleFor('agents.test'), scanEnabled: false }];
    await send('X-Local-Virus: FAIL\r\n\r\nbody\r\n', ['one@agents.test']);
    expect(world.notifications()[0]?.receipt).toMatchObject({ spamVerdict: { status: 'DISABLED' }, virusVerdict: { status: 'DISABLED' } });
  });
});

describe('recipients', () => {
  test.each([
    ['agents.test', 'Anyone@AGENTS.test', true],
    ['agents.test', 'anyone@sub.agents.test', false],
    ['.agents.test', 'anyone@sub.agents.test', true],
    ['only@agents.test', 'only@agents.test', true],
    ['only@agents.test', 'other@agents.test', false],
  ])('rule %s, recipient %s: %s', async (rule, recipient, isTaken) => {
    world.rules = [ruleFor(rule)];
    const [, , , reply] = await converse(world.smtp, 'EHLO there', 'MAIL FROM:<a@b.test>', `RCPT TO:<${recipient}>`);
    expect(reply?.slice(0, 3)).toBe(isTaken ? '250' : '550');
  });

  test('without any rule are all refused', async () => {
    world.rules = [];
    await expect(send(RAW, ['one@agents.test'])).rejects.toMatchObject({ responseCode: 550 });
  });

  test('go to the actions of every rule that takes them', async () => {
    const second = { ...ruleFor('two@agents.test'), name: 'second', s3: { bucket: 'mail-bucket', prefix: 'second/', topicArn: TOPIC_ARN } };
    world.rules = [ruleFor('agents.test'), second];
    await send(RAW, ['one@agents.test', 'two@agents.test']);
    expect(world.notifications().map(({ receipt }) => [receipt.action['objectKeyPrefix'], receipt.recipients])).toEqual([
      ['inbound/', ['one@agents.test', 'two@agents.test']],
      ['second/', ['two@agents.test']],
    ]);
  });
});

describe('refusals', () => {
  test('a mail over 40 MB: 552, announced or found out', async () => {
    const announced = await converse(world.smtp, 'EHLO there', `MAIL FROM:<a@b.test> SIZE=${41 * 1024 * 1024}`);
    expect(announced.at(-1)?.slice(0, 3)).toBe('552');
    const bytes = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(40 * 1024 * 1024, 'x'), Buffer.from('\r\n.\r\n')]);
    const found = await converse(world.smtp, 'EHLO there', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@agents.test>', 'DATA', bytes);
    expect(found.at(-1)?.slice(0, 3)).toBe('552');
    expect(world.notifications()).toEqual([]);
  });

  test.each([
    ['the bucket', { bucket: 'missing-bucket', prefix: '', topicArn: TOPIC_ARN }],
    ['the topic', { bucket: 'mail-bucket', prefix: '', topicArn: 'arn:aws:sns:eu-west-1:000000000000:missing' }],
  ])('451 when %s does not take it: the sender keeps the mail', async (_what, s3) => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    world.rules = [{ ...ruleFor('agents.test'), s3 }];
    await expect(send(RAW, ['one@agents.test'])).rejects.toMatchObject({ responseCode: 451 });
    printed.mockRestore();
  });

  test('neither AUTH nor STARTTLS is offered', async () => {
    const replies = await converse(world.smtp, 'EHLO there', 'AUTH PLAIN AGEAYg==', 'STARTTLS');
    expect(replies.slice(2).map((reply) => reply.slice(0, 1))).toEqual(['5', '5']);
  });
});
