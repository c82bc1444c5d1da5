// The decoders that replace two libraries in bundles: the charsets of real mail come out right.
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { convert } from '#adapters/mime/shims/encoding-japanese.ts';
import { decode, decodeStream, encodingExists } from '#adapters/mime/shims/iconv-lite.ts';

const VECTORS: readonly (readonly [charset: string, hex: string, text: string])[] = [
  ['iso-8859-1', 'e4f6fc', 'äöü'],
  ['iso-8859-2', 'b3f3', 'łó'],
  ['iso-8859-15', 'a4', '€'],
  ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
  ['windows-1252', '93619480', '“a”€'],
  ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
  ['gb2312', 'c4e3bac3', '你好'],
  ['gb18030', 'c4e3bac3', '你好'],
  ['big5', 'a741a66e', '你好'],
  ['euc-kr', 'bec8b3e7', '안녕'],
  ['shift_jis', '93fa967b', '日本'],
  ['utf-16le', '6500e900', 'eé'],
];

describe('the iconv-lite stand-in', () => {
  it.each(VECTORS)('decodes %s whole and byte by byte', async (charset, hex, expected) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(decode(bytes, charset)).toBe(expected);
    const singleBytes = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(await text(Readable.from(singleBytes).pipe(decodeStream(charset)))).toBe(expected);
  });

  it('throws on unknown charsets, as the parser expects', () => {
    expect(encodingExists('x-none')).toBe(false);
    expect(() => decodeStream('x-none')).toThrow(RangeError);
    expect(() => decode(Buffer.from('a'), 'x-none')).toThrow(RangeError);
  });
});

describe('the encoding-japanese stand-in', () => {
  it.each([
    ['ISO-2022-JP', '1b2442467c4b5c1b2842', '日本'],
    ['JIS', '1b2442467c4b5c1b2842', '日本'],
    ['EUCJP', 'c6fccbdc', '日本'],
  ])('decodes %s', (from, hex, expected) => {
    expect(convert(Buffer.from(hex, 'hex'), { from })).toBe(expected);
  });
});
