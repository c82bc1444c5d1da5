// Received messages: ordinary ones in full, hostile ones by their header, none ever thrown at the caller.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseMail } from '#adapters/mime/parse-mail.ts';
import { readThreadHeaders } from '#adapters/mime/thread-headers.ts';

const bytesOf = (lines: readonly string[]): Uint8Array => Buffer.from(lines.join('\r\n'), 'latin1');
const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const parse = (...lines: readonly string[]) => parseMail(bytesOf(lines));

const MULTIPART = [
  'Return-Path: <alice@example.com>',
  'Received: from a by b',
  'Received: from c by d',
  'From: =?utf-8?q?Al=C3=AFce?= <Alice@Example.com>',
  'To: Bob <bob@agents.test>, team: carol@agents.test;',
  'Cc: bob@agents.test, broken',
  'Subject: =?utf-8?B?R3LDvMOfZQ==?= =?utf-8?Q?_an_alle?=',
  'Date: Mon, 21 Sep 2026 16:13:20 +0200 (CEST)',
  'Message-ID: <m1@example.com>',
  'In-Reply-To: <m0@agents.test>',
  'References: <r1@agents.test>',
  ' <m0@agents.test>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=out',
  '',
  '--out',
  'Content-Type: multipart/related; boundary=rel',
  '',
  '--rel',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<style>p{}</style><p>Hello&nbsp;<b>B=C3=B6b</b></p><script>x</script><img src=3D"cid:logo">',
  '--rel',
  'Content-Type: image/png',
  'Content-ID: <logo>',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--rel--',
  '--out',
  'Content-Type: text/html',
  "Content-Disposition: attachment; filename*=utf-8''..%2F%E6%97%A5.html",
  '',
  '<b>file</b>',
  '--out--',
  '',
];

describe('parseMail', () => {
  it('reads sender, recipients, thread, text and attachments', async () => {
    const mail = await parse(...MULTIPART);
    expect(mail.parseError).toBeUndefined();
    expect(mail).toMatchObject({
      from: { address: 'alice@example.com', name: 'Alïce' },
      to: ['bob@agents.test', 'carol@agents.test'],
      cc: ['bob@agents.test'],
      subject: 'Grüße an alle',
      date: 1_790_000_000,
      messageId: '<m1@example.com>',
      inReplyTo: '<m0@agents.test>',
      references: ['<r1@agents.test>', '<m0@agents.test>'],
      text: 'Hello Böb',
      snippet: 'Hello Böb',
      receivedCount: 2,
      isList: false,
      isBounce: false,
    });
    expect(mail.attachments).toMatchObject([
      { index: 0, filename: 'attachment-1', contentType: 'image/png', contentId: 'logo', size: 8, inline: true },
      { index: 1, filename: '日.html', contentType: 'text/html', size: 11, inline: false },
    ]);
    expect(Buffer.from(mail.attachments[1]?.content ?? []).toString()).toBe('<b>file</b>');
    expect(mail.attachments[1]?.sha256).toBe(createHash('sha256').update('<b>file</b>').digest('hex'));
  });

  it('keeps the parameters of a declared type, but none for a type guessed from the file name', async () => {
    const part = (type: string, filename: string) => [
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; filename=${filename}`,
      '',
      'x',
    ];
    const mail = await parse(
      'From: a@b.cc',
      'Content-Type: multipart/mixed; boundary=x',
      ...['', '--x', ...part('Text/Calendar; method=REQUEST; charset="UTF-8"; name=a.ics', 'a.ics')],
      ...['--x', ...part("text/csv; charset*=us-ascii'en'iso-8859-1", 'a.csv')],
      ...['--x', ...part('application/octet-stream; charset=utf-8', 'a.csv')],
      ...['--x', ...part('text/plain; charset="><script>"', 'a.txt'), '--x--', ''],
    );
    expect(mail.attachments.map(({ contentType }) => contentType)).toStrictEqual([
      'text/calendar; method=REQUEST; charset=UTF-8',
      'text/csv; charset=iso-8859-1',
      'text/csv',
      'text/plain',
    ]);
  });

  it('prefers the plain part and keeps the HTML beside it', async () => {
    const mail = await parse(
      'From: a@b.cc',
      'Content-Type: multipart/alternative; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      'plain  text',
      '--x',
      'Content-Type: text/html',
      '',
      '<p>html</p>',
      '--x--',
      '',
    );
    expect(mail).toMatchObject({ text: 'plain  text', html: '<p>html</p>', snippet: 'plain text' });
  });

  it('cuts the snippet at 200 characters of folded text', async () => {
    const mail = await parse('From: a@b.cc', 'Content-Type: text/plain; charset=utf-8', '', utf8(`${'é 📬\t\n '.repeat(200)}`));
    expect(Array.from(mail.snippet).length).toBeLessThanOrEqual(200);
    expect(mail.snippet.startsWith('é 📬 é 📬')).toBe(true);
    expect(mail.snippet).not.toMatch(/\s\s/);
  });

  it.each([
    ['two From fields', ['From: a@b.cc', 'From: x@y.zz']],
    ['two mailboxes in From', ['From: a@b.cc, x@y.zz']],
    ['a group in From', ['From: g: a@b.cc, x@y.zz;']],
    ['no address', ['From: Nobody']],
    ['an encoded second address', ['From: =?utf-8?q?x=40y.zz=3E=2C?=']],
    ['no From', ['To: a@b.cc']],
  ])('names no sender for %s', async (_what, lines) => {
    expect((await parse(...lines, '', 'x')).from).toBeUndefined();
  });

  it('never makes an address of an encoded display name', async () => {
    const mail = await parse('From: =?utf-8?q?=3Cceo=40bank.example=3E?= <a@b.cc>', '', 'x');
    expect(mail.from).toStrictEqual({ address: 'a@b.cc', name: '<ceo@bank.example>' });
  });

  it('reads raw 8-bit headers as UTF-8, else as Windows-1252', async () => {
    expect((await parse(`Subject: ${utf8('Grüße')}`, '', '')).subject).toBe('Grüße');
    expect((await parse('Subject: Gr\xfc\xdfe', '', '')).subject).toBe('Grüße');
  });

  it('takes control characters out of subjects and cuts them at 998', async () => {
    const mail = await parse(`Subject: =?utf-8?q?a=0D=0ABcc=3A_x=E2=80=A8y?=${'z'.repeat(2_000)}`, '', '');
    expect(mail.subject.startsWith('a  Bcc: x y')).toBe(true);
    expect(mail.subject).toHaveLength(998);
  });

  it.each([
    ['auto-submitted', ['Auto-Submitted: auto-replied; x=y'], { autoSubmitted: 'auto-replied' }],
    ['a list', ['List-Id: <x.example>'], { isList: true }],
    ['bulk', ['Precedence: Bulk'], { isList: true }],
    ['a bounce by its path', ['Return-Path: <>'], { isBounce: true }],
    ['a bounce by its type', ['Content-Type: multipart/report; report-type=delivery-status; boundary=x'], { isBounce: true }],
  ])('marks %s', async (_what, lines, marks) => {
    expect(await parse(...lines, '', '')).toMatchObject(marks);
  });

  it('does not mark `Auto-Submitted: no`', async () => {
    expect((await parse('Auto-Submitted: no', '', '')).autoSubmitted).toBeUndefined();
  });

  it('holds hostile header names without touching any prototype', async () => {
    const mail = await parse('__proto__: polluted', 'constructor: x', 'From: a@b.cc', '', '');
    expect(mail.headers.get('__proto__')).toStrictEqual(['polluted']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('gives odd content types as plain bytes', async () => {
    const mail = await parse(
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: te xt/ht"ml',
      'Content-Disposition: attachment',
      '',
      'a',
      '--x--',
    );
    expect(mail.attachments[0]?.contentType).toBe('application/octet-stream');
  });
});

describe('parseMail under attack answers by the header', () => {
  const head = ['From: a@b.cc', 'Subject: still here', 'MIME-Version: 1.0'];
  const nested = Array.from({ length: 3_000 }, (_value, depth) => [
    `Content-Type: multipart/mixed; boundary=b${depth}`,
    '',
    `--b${depth}`,
  ]).flat();

  it.each<[string, readonly string[]]>([
    ['20,000 parts', [...head, 'Content-Type: multipart/mixed; boundary=x', '', ...Array.from({ length: 20_000 }, () => '--x\r\n\r\na')]],
    ['3,000 nested multiparts', [...head, ...nested]],
    [
      '300 attachments',
      [
        ...head,
        'Content-Type: multipart/mixed; boundary=x',
        '',
        ...Array.from({ length: 300 }, () => '--x\r\nContent-Type: image/png\r\n\r\na'),
      ],
    ],
    ['9 MB of text', [...head, '', `${'a'.repeat(990)}\r\n`.repeat(9_100)]],
  ])('%s', async (_what, lines) => {
    const mail = await parse(...lines);
    expect(mail.parseError).toEqual(expect.any(String));
    expect(mail).toMatchObject({ from: { address: 'a@b.cc' }, subject: 'still here', attachments: [], text: '' });
  });

  it('a header of 2 MB', async () => {
    const mail = await parse(...head, `X-Long: ${'a'.repeat(2_000_000)}`, '', 'body');
    expect(mail.parseError).toBe('header is too large');
    expect(mail.subject).toBe('still here');
  });

  it('a message over the byte cap', async () => {
    expect((await parseMail(bytesOf([...head, '', 'body']), { messageBytes: 10 })).parseError).toBe('message is too large');
  });
});

describe('parseMail under attack still reads', () => {
  it('20,000 nested elements', async () => {
    const mail = await parse('Content-Type: text/html', '', `${'<div>'.repeat(20_000)}deep`);
    expect(mail).toMatchObject({ text: 'deep', snippet: 'deep' });
    expect(mail.parseError).toBeUndefined();
  });

  it('40,000 recipients, up to a thousand of them', async () => {
    const all = Array.from({ length: 40_000 }, (_value, index) => `r${index}@b.cc`).join(',\r\n ');
    const mail = await parse(`To: ${all}`, '', 'x');
    expect(mail.to).toHaveLength(1_000);
    expect(mail.text.trim()).toBe('x');
  });

  it.each<[string, Uint8Array]>([
    [
      'an inline message without content, which the parser would wait for',
      Buffer.from('Content-Type: message/rfc822\r\nContent-Disposition: inline\r\n\r\n'),
    ],
    ['no bytes', new Uint8Array()],
    ['one line feed', Buffer.from('\n')],
    ['only a header', Buffer.from('From: a@b.cc')],
    ['zeros', new Uint8Array(10_000)],
    ['an unclosed multipart', Buffer.from('Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n--')],
    ['a 313 KB comment in an address', Buffer.from(`From: ${'('.repeat(313_000)}\r\n\r\n`)],
    ['an unknown charset', Buffer.from('Content-Type: text/plain; charset=x-none\r\n\r\nhello')],
    ['a broken transfer encoding', Buffer.from('Content-Transfer-Encoding: base64\r\n\r\n@@@@====')],
  ])('%s', async (_what, bytes) => {
    expect(await parseMail(bytes)).toMatchObject({ attachments: [], references: [] });
  });
});

describe('readThreadHeaders', () => {
  it('reads ids and the subject without the body', () => {
    expect(readThreadHeaders(bytesOf(MULTIPART))).toStrictEqual({
      messageId: '<m1@example.com>',
      inReplyTo: '<m0@agents.test>',
      references: ['<r1@agents.test>', '<m0@agents.test>'],
      subject: 'Grüße an alle',
    });
  });

  it('keeps the first and the newest of a long chain, and drops what is no id', () => {
    const ids = Array.from({ length: 150 }, (_value, index) => `<${index}@x>`).join(' ');
    const { references } = readThreadHeaders(Buffer.from(`References: junk ${ids} <a b> <\xe4@x>\r\n\r\n`, 'latin1'));
    expect(references).toHaveLength(100);
    expect([references[0], references[1], references.at(-1)]).toStrictEqual(['<0@x>', '<51@x>', '<149@x>']);
  });
});
