// Writes RFC 2047 encoded-words for the one case the composer leaves alone: text that already looks like an encoded-word.
// Sent as it stands, a reader would decode it, into line breaks for example, and show what nobody has checked.

/** A word is at most 75 characters; `=?UTF-8?B?` and `?=` leave 63, which is 45 bytes in base64. */
const WORD_BYTES_MAX = 45;

/** True when a reader would take part of the text for an encoded-word. */
export const looksEncoded = (text: string): boolean => text.includes('=?');

const toWord = (text: string): string => `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`;

/** The text as a run of encoded-words, each holding whole characters, so that it reads as it was written. */
export const encodeWords = (text: string): string => {
  const words: string[] = [];
  let current = '';
  for (const character of text) {
    if (Buffer.byteLength(current + character) > WORD_BYTES_MAX) {
      words.push(toWord(current));
      current = '';
    }
    current += character;
  }
  return [...words, toWord(current)].join(' ');
};
