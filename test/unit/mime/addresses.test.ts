// One mail address, strictly: what is taken, and what a lenient reader would have taken for something else.
import { describe, expect, it } from 'vitest';
import { parseAddress } from '#adapters/mime/parse-address.ts';

describe('parseAddress', () => {
  it.each([
    ['alice@example.com', { address: 'alice@example.com' }],
    ['  Alice@EXAMPLE.com ', { address: 'alice@example.com' }],
    ['<alice@example.com>', { address: 'alice@example.com' }],
    ['Alice Doe <alice@example.com>', { address: 'alice@example.com', name: 'Alice Doe' }],
    ['"Doe, Alice" <alice@example.com>', { address: 'alice@example.com', name: 'Doe, Alice' }],
    ['"a \\"q\\" b" <alice@example.com>', { address: 'alice@example.com', name: 'a "q" b' }],
    ["o'neil+tag@sub.example.co", { address: "o'neil+tag@sub.example.co" }],
    ['0xabc@agents.localhost.test', { address: '0xabc@agents.localhost.test' }],
    ['x@xn--bcher-kva.example', { address: 'x@xn--bcher-kva.example' }],
  ])('reads %j', (text, parsed) => {
    expect(parseAddress(text)).toStrictEqual(parsed);
  });

  it.each([
    ['nothing', ''],
    ['no at sign', 'alice'],
    ['no local part', '@example.com'],
    ['no domain', 'alice@'],
    ['a list', 'a@example.com, b@example.com'],
    ['a list with a semicolon', 'a@example.com; b@example.com'],
    ['a group', 'team: a@example.com;'],
    ['two addresses in brackets', 'a <a@example.com> <b@example.com>'],
    ['an address as a bare name', 'b@evil.example <a@example.com>'],
    ['a quoted local part', '"a b"@example.com'],
    ['two at signs', 'a@b@example.com'],
    ['a source route', '<@evil.example:a@example.com>'],
    ['a comment', 'a(comment)@example.com'],
    ['a domain literal', 'a@[127.0.0.1]'],
    ['an IPv4 domain', 'a@127.0.0.1'],
    ['one label', 'a@localhost'],
    ['dots at the edges', '.a@example.com'],
    ['two dots', 'a..b@example.com'],
    ['a dot at the end', 'a@example.com.'],
    ['a hyphen at the edge of a label', 'a@-example.com'],
    ['an underscore in the domain', 'a@exa_mple.com'],
    ['non-ASCII', 'ä@example.com'],
    ['a non-ASCII domain', 'a@exämple.com'],
    ['a line break', 'a@example.com\r\nBcc: b@example.com'],
    ['a line break at the end', 'a@example.com\n'],
    ['a tab', 'a\t@example.com'],
    ['a zero byte', 'a\0@example.com'],
    ['an encoded word', '=?utf-8?q?a=40evil.example?= <'],
    ['an unclosed quote', '"Alice <a@example.com>'],
    ['a local part of 65', `${'a'.repeat(65)}@example.com`],
    ['a label of 64', `a@${'b'.repeat(64)}.com`],
    ['321 characters', `a@${'b.'.repeat(159)}c`],
  ])('refuses %s', (_what, text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
