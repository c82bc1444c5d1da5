// Stands in for `encoding-japanese` under mailparser in bundles; see iconv-lite.ts beside it.
import { TextDecoder } from 'node:util';

interface ConvertOptions {
  readonly from: string;
}

const charsetOf = (name: string): string => {
  const lower = name.toLowerCase();
  if (lower.startsWith('euc')) return 'euc-jp';
  return lower.startsWith('jis') || lower.startsWith('iso') ? 'iso-2022-jp' : lower;
};

/** Text of Japanese bytes; the callers ask for nothing but a conversion to a string. */
export const convert = (bytes: Uint8Array, { from }: ConvertOptions): string => new TextDecoder(charsetOf(from)).decode(bytes);
