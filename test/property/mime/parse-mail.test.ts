// Received bytes: random ones and honest mails gone wrong are always answered, within the shape the domain relies on.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeMail } from '#adapters/mime/compose-mail.ts';
import { contentDisposition } from '#adapters/mime/filenames.ts';
import { parseMail } from '#adapters/mime/parse-mail.ts';
import { readThreadHeaders } from '#adapters/mime/thread-headers.ts';
import type { ParsedMail } from '#domain/ports/mail-content.ts';

const composed = await composeMail({
  from: { address: 'alice@agents.test', name: 'Älice' },
  to: 'bob@example.com',
  subject: 'Grüße an alle und noch viel mehr Worte, damit es bricht',
  text: '# Hi\n\n[link](https://x.example) é',
  messageId: 'm1@agents.test',
  date: 1_790_000_000,
  references: ['<a@b>', '<c@d>'],
  attachments: [{ filename: 'Größe.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }],
});
if (!composed.ok) throw new Error('the seed mail must compose');
const seed = Buffer.from(composed.value);

const HEADER_LINES = [
  'From: =?utf-8?b?',
  'From: a@b.cc',
  'From: "a',
  'To: g: a@b.cc, (((',
  'Subject: =?iso-2022-jp?B?GyRCJEYlOSVIGyhC?=',
  'Subject: =?x?q?=zz?=',
  'Content-Type: multipart/mixed; boundary=x',
  'Content-Type: message/rfc822',
  'Content-Type: text/html; charset=utf-7',
  'Content-Type: multipart/digest; boundary="',
  'Content-Type: message/delivery-status',
  'Content-Type: text/plain; format=flowed; delsp=yes; charset=iso-2022-jp',
  'Content-Type: ;;;=',
  'Content-Type: text/calendar; method=REQUEST',
  "Content-Disposition: attachment; filename*0*=x''%zz; filename*9999999=b",
  'Content-Disposition: inline; filename="../../x"',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Transfer-Encoding: uuencode',
  'Date: Mon, 99 Foo 99999',
  'Message-ID: <<>>',
  'References: <a> <b',
  'List-Id: <x>',
  'List-__proto__: x',
  'X-Priority: 1e999',
  'Content-ID: <>',
  'Received: x',
  '__proto__: y',
  ' folded',
  '\tfolded',
  ': no name',
  'no colon',
  '',
  '--x',
  '--x--',
  '--',
  'begin 644 a',
  '=',
  '=\xff',
  'aGVsbG8=',
  '<p>x',
  '\0',
];
const structured = fc.array(fc.constantFrom(...HEADER_LINES), { maxLength: 40 }).map((lines) => Buffer.from(lines.join('\r\n'), 'latin1'));

interface Mutation {
  readonly at: number;
  readonly cut: number;
  readonly insert: Uint8Array;
}
const mutation = fc.record<Mutation>({
  at: fc.nat({ max: seed.length }),
  cut: fc.nat({ max: 200 }),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.constantFrom(...HEADER_LINES).map((line) => Buffer.from(`\r\n${line}\r\n`, 'latin1')),
  ),
});
const mutated = fc
  .array(mutation, { minLength: 1, maxLength: 8 })
  .map((mutations) =>
    mutations.reduce<Buffer>((mail, { at, cut, insert }) => Buffer.concat([mail.subarray(0, at), insert, mail.subarray(at + cut)]), seed),
  );

const expectSound = (mail: ParsedMail): void => {
  expect(mail.subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  expect(mail.subject.length).toBeLessThanOrEqual(998);
  expect(Array.from(mail.snippet).length).toBeLessThanOrEqual(200);
  expect(mail.snippet).not.toMatch(/[\u0000-\u001f]/);
  for (const address of [...mail.to, ...mail.cc, ...(mail.from === undefined ? [] : [mail.from.address])])
    expect(address).toMatch(/^[!-~]+@[a-z0-9.-]+$/);
  for (const id of [...mail.references, mail.messageId ?? '<x>', mail.inReplyTo ?? '<x>']) expect(id).toMatch(/^<[!-;=?-~]+>$/);
  mail.attachments.forEach((attachment, position) => {
    expect(attachment.index).toBe(position);
    expect(attachment.size).toBe(attachment.content.byteLength);
    expect(attachment.filename).toMatch(/^[^\u0000-\u001f/\\\u202a-\u202e]+$/);
    expect(Buffer.byteLength(attachment.filename)).toBeLessThanOrEqual(255);
    expect(attachment.contentType).toMatch(/^[!-~]+\/[!-~]+(?:; [!-~]+=[ -~]+)?$/);
    expect(contentDisposition(attachment.filename)).toMatch(/^[ -~]+$/);
  });
};

describe('parseMail', () => {
  it.each([
    ['random bytes', fc.uint8Array({ maxLength: 2_000 }), 300],
    ['lines of headers, boundaries and bodies in any order', structured, 2_000],
    ['an honest mail cut and spliced', mutated, 1_500],
  ])('answers %s', async (_what, bytes, numRuns) => {
    await fc.assert(
      fc.asyncProperty(bytes, async (given) => {
        expectSound(await parseMail(given));
        readThreadHeaders(given);
      }),
      { numRuns },
    );
  });

  it('reads back what is composed', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 200 })
      .map((each) => each.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ''));
    await fc.assert(
      fc.asyncProperty(text, fc.uint8Array({ maxLength: 500 }), async (subject, content) => {
        const outcome = await composeMail({
          from: { address: 'alice@agents.test' },
          to: 'bob@example.com',
          subject,
          text: 'body',
          messageId: 'm1@agents.test',
          date: 1_790_000_000,
          attachments: [{ filename: 'a.bin', contentType: 'application/x-a', content }],
        });
        if (!outcome.ok) throw new Error(outcome.detail.message);
        const mail = await parseMail(outcome.value);
        expect(mail.parseError).toBeUndefined();
        expect(mail.subject).toBe(subject.trim());
        expect(mail.messageId).toBe('<m1@agents.test>');
        expect(new Uint8Array(mail.attachments[0]?.content ?? [])).toStrictEqual(new Uint8Array(content));
      }),
      { numRuns: 300 },
    );
  });
});
