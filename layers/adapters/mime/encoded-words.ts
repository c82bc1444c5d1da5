// Decodes RFC 2047 encoded-words in header values, in one pass from left to right.
import { decodeCharset } from '#adapters/mime/charsets.ts';

interface EncodedWord {
  /** Without the RFC 2231 language suffix. */
  readonly charset: string;
  readonly bytes: Uint8Array;
  /** Position after the closing `?=`. */
  readonly end: number;
}

const CHARSET_LENGTH_MAX = 40;
/** The standard says 75; senders exceed it, but a word of a megabyte is an attack. */
const WORD_LENGTH_MAX = 4_000;

/** One class and a short end: it cannot backtrack. */
const BASE64 = /^[A-Za-z0-9+/]*={0,3}$/;

const decodeQ = (text: string): Uint8Array => {
  const bytes: number[] = [];
  for (let position = 0; position < text.length; position += 1) {
    const pair = text.slice(position + 1, position + 3);
    if (text[position] === '=' && /^[0-9A-Fa-f]{2}$/.test(pair)) {
      bytes.push(Number.parseInt(pair, 16));
      position += 2;
    } else {
      bytes.push(text[position] === '_' ? 0x20 : text.charCodeAt(position) & 0xff);
    }
  }
  return Uint8Array.from(bytes);
};

/** The encoded-word that starts exactly at `start` (where `=?` stands), if there is a complete one. */
const readWord = (value: string, start: number): EncodedWord | undefined => {
  const charsetEnd = value.indexOf('?', start + 2);
  if (charsetEnd < 0 || charsetEnd - start > CHARSET_LENGTH_MAX + 2 || value[charsetEnd + 2] !== '?') return undefined;
  // Bounded by a slice first: searching the whole rest for each start would be quadratic.
  const rest = value.slice(charsetEnd + 3, charsetEnd + 3 + WORD_LENGTH_MAX);
  const textEnd = rest.indexOf('?=');
  if (textEnd < 0) return undefined;
  const text = rest.slice(0, textEnd);
  const encoding = value[charsetEnd + 1]?.toLowerCase();
  if (encoding !== 'b' && encoding !== 'q') return undefined;
  // Words that are not base64 stay as they were written: decoding what is left of them would invent letters.
  if (encoding === 'b' && !BASE64.test(text)) return undefined;
  const charset = value.slice(start + 2, charsetEnd).split('*')[0] ?? '';
  const bytes = encoding === 'b' ? Buffer.from(text, 'base64') : decodeQ(text);
  return { charset: charset.toLowerCase(), bytes, end: charsetEnd + 3 + textEnd + 2 };
};

/** Words of one charset are joined before decoding, since senders cut characters in half between them. */
const decodeRun = (words: readonly EncodedWord[]): string => {
  let text = '';
  let start = 0;
  for (let index = 1; index <= words.length; index += 1) {
    const charset = words[start]?.charset ?? '';
    if (index < words.length && words[index]?.charset === charset) continue;
    text += decodeCharset(Buffer.concat(words.slice(start, index).map((word) => word.bytes)), charset);
    start = index;
  }
  return text;
};

/** Decodes every encoded-word of an unfolded header value; blanks between two words belong to neither and go. */
export const decodeWords = (value: string): string => {
  let text = '';
  let position = 0;
  let run: EncodedWord[] = [];
  while (position < value.length) {
    const start = value.indexOf('=?', position);
    const between = value.slice(position, start < 0 ? value.length : start);
    const word = start < 0 ? undefined : readWord(value, start);
    const joins = word !== undefined && run.length > 0 && between.trim() === '';
    if (!joins) {
      text += decodeRun(run) + between;
      run = [];
    }
    if (word !== undefined) run.push(word);
    else if (start >= 0) text += '=?';
    position = word?.end ?? (start < 0 ? value.length : start + 2);
  }
  return text + decodeRun(run);
};
