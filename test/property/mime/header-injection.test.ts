// No value that a caller can set adds, removes or splits a header: judged by a second parser on the finished bytes.
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { composeMail } from '#adapters/mime/compose-mail.ts';

const piece = fc.constantFrom(
  ...['\r\n', '\n', '\r', '\u2028', '\u2029', '\u0085', '\0', '\t', ' ', 'Bcc: x@evil.example', '=?utf-8?q?a=0D=0ABcc=3A_x=40y.zz?=', '=?'],
  ...['?=', '"', '\\', '<', '>', ',', ';', ':', '(', ')', '@', 'a', 'B', 'é', '日', '📬', 'evil@x.example', "''", '%0d%0a', '-- ', '--'],
);
const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const longText = fc.string({ unit: 'grapheme', maxLength: 300 });
const value = fc.oneof(hostile, longText);

const EXPECTED_HEADERS = ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type', 'x-agent'];

describe('composeMail', () => {
  it('gives exactly the intended headers and one recipient, or refuses', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(value, value, value, value, value, async (subject, name, filename, text, custom) => {
        const outcome = await composeMail({
          from: { address: 'alice@agents.test', name },
          to: 'bob@example.com',
          subject,
          text,
          messageId: 'm1@agents.test',
          date: 1_790_000_000,
          attachments: [{ filename, contentType: 'text/plain', content: Buffer.from('content') }],
          headers: { 'X-Agent': custom },
        });
        if (!outcome.ok) {
          expect(outcome.code).toBe('invalid_request');
          const isEncoded = name.includes('=?') || custom.includes('=?');
          expect(
            isEncoded ||
              [subject, name, filename, custom].some(
                (each) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(each) || !each.isWellFormed(),
              ),
          ).toBe(true);
          return;
        }
        accepted += 1;
        const mail = await PostalMime.parse(outcome.value);
        const names = mail.headers.map(({ key }) => key).sort();
        // A blank value is no header.
        const isBlank = (header: string): boolean =>
          (header === 'subject' && subject.trim() === '') || (header === 'x-agent' && custom.trim() === '');
        const expected = EXPECTED_HEADERS.filter((header) => !isBlank(header) || names.includes(header));
        expect(names).toStrictEqual([...expected].sort());
        expect((mail.subject ?? '').replace(/\s/g, '')).toBe(subject.replace(/\s/g, ''));
        expect(mail.to).toMatchObject([{ address: 'bob@example.com' }]);
        expect(mail.from?.address).toBe('alice@agents.test');
        expect(mail.attachments).toHaveLength(1);
        expect((mail.text ?? '').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  it('refuses every recipient that is not one bare address', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (before, after) => {
        const outcome = await composeMail({
          from: { address: 'alice@agents.test' },
          to: `${before}bob@example.com${after}`,
          subject: 's',
          text: 't',
          messageId: 'm1@agents.test',
          date: 0,
          attachments: [],
        });
        if (!outcome.ok) return;
        const mail = await PostalMime.parse(outcome.value);
        expect(mail.to).toHaveLength(1);
        expect(mail.bcc ?? []).toHaveLength(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
