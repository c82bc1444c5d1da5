// Content types with their parameters: what is kept, in which spelling, and what never gets into a header.
import { MIMEType } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeMail } from '#adapters/mime/compose-mail.ts';
import { contentTypeOf, readContentType } from '#adapters/mime/content-type.ts';
import { parseMail } from '#adapters/mime/parse-mail.ts';

/** Without their order: the composer puts those that it has to encode behind the others. */
const parametersOf = (contentType: string | undefined) => new Map(new MIMEType(contentType ?? '').params);

const sentAndRead = async (contentType: string) => {
  const composed = await composeMail({
    from: { address: 'alice@agents.test' },
    to: 'bob@example.com',
    subject: 'A file',
    text: 'See the file',
    messageId: 'm1@agents.test',
    date: 1_790_000_000,
    attachments: [{ filename: 'a.bin', contentType, content: Buffer.from('a;b\r\nc \r\n') }],
  });
  if (!composed.ok) throw new Error(composed.detail.message);
  return (await parseMail(composed.value)).attachments;
};

describe('readContentType', () => {
  it.each([
    ['text/csv; charset=iso-8859-1', 'text/csv; charset=iso-8859-1'],
    ['text/calendar;METHOD=REQUEST;charset="UTF-8"', 'text/calendar; method=REQUEST; charset=UTF-8'],
    ['Text/CSV', 'text/csv'],
    ['text/turtle; profile="https://x.example/a b"', 'text/turtle; profile="https://x.example/a b"'],
    ['text/plain; x="a\\"b\\\\c"', 'text/plain; x="a\\"b\\\\c"'],
  ])('default: %s keeps what belongs to the file', (text, kept) => {
    expect(readContentType(text)).toBe(kept);
  });

  it.each([
    'text/plain; name=a.txt',
    'text/plain; boundary=x',
    'text/plain; x="a\r\nBcc: b@c.dd"',
    'text/plain; x="a\tb"',
    'text/plain; x="é"',
    'text/plain; x="=?utf-8?q?a=0D=0Ab?="',
    'text/plain; x*0=a',
    'text/plain; charset="><script>"',
    'text/plain; charset=',
    'text/plain;;;=;x',
    `text/plain; x=${'a'.repeat(600)}`,
  ])('behavior: %j loses the parameter, not the type', (text) => {
    expect(readContentType(text)).toBe('text/plain');
  });

  it.each(['', 'text', '_x/y', 'text/', 'te xt/plain', 'text/plain\r\nX: y', `${'a'.repeat(200)}/b`])('error: %j is no type', (text) => {
    expect(readContentType(text)).toBeUndefined();
  });
});

const name = fc.constantFrom('charset', 'method', 'format', 'profile', 'x-a', 'x.b', 'constructor', '__proto__', 'x*', 'name', 'boundary');
const piece = fc.constantFrom(
  ...['a', 'Z', '9', ' ', '"', '\\', ';', '=', '=?', '?=', "'", '%', '(', ')', '/', '\r\n', '\t', 'é', '<', '--'],
);
const value = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('a content type', () => {
  it('behavior: whatever its parameters hold, it is one bounded line of printable text that reads as itself', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 20 }), (parameters) => {
        const text = contentTypeOf('text/csv', new Map(parameters)) ?? '';

        expect(text).toMatch(/^text\/csv[\x20-\x7e]*$/);
        expect(text.length).toBeLessThanOrEqual(512);
        expect(readContentType(text)).toBe(text);
      }),
    );
  });

  it('behavior: what is sent is what arrives, bytes and type', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (parameters) => {
        const contentType = contentTypeOf('text/csv', new Map(parameters)) ?? '';

        const [file, ...others] = await sentAndRead(contentType);

        expect(parametersOf(file?.contentType)).toEqual(parametersOf(contentType));
        expect(Buffer.from(file?.content ?? []).toString()).toBe('a;b\r\nc \r\n');
        expect(others).toHaveLength(0);
      }),
    );
  });

  it('behavior: a flowed text is sent byte for byte', async () => {
    const [file] = await sentAndRead('text/plain; charset=utf-8; format=flowed; delsp=yes');

    expect(file).toMatchObject({ contentType: 'text/plain; charset=utf-8; format=flowed; delsp=yes' });
    expect(Buffer.from(file?.content ?? []).toString()).toBe('a;b\r\nc \r\n');
  });
});
