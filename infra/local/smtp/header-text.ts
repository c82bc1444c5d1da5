// Reads the text of header fields as SES shows it: encoded words decoded (RFC 2047), address lists taken apart.

const ENCODED_WORD = /=\?([^?\s]+)\?([BbQq])\?([^?\s]*)\?=/g;
const BETWEEN_WORDS = /(=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=)\s+(?==\?[^?\s]+\?[BbQq]\?[^?\s]*\?=)/g;

/** Decodes every encoded word; one in an unknown character set stays as it is. */
export function decodeWords(value: string): string {
  return value.replace(BETWEEN_WORDS, '$1').replace(ENCODED_WORD, (word: string, charset: string, encoding: string, text: string) => {
    try {
      // A language tag may follow the character set (RFC 2231).
      const decoder = new TextDecoder(charset.split('*')[0]);
      return decoder.decode(encoding.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : fromQuoted(text));
    } catch {
      return word;
    }
  });
}

function fromQuoted(text: string): Buffer {
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_match, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1');
}

/** Splits an address list at its commas, not at those inside quotes, comments or angle brackets, and decodes each entry. */
export function splitAddressList(value: string): readonly string[] {
  const entries = value.match(/(?:"(?:\\.|[^"\\])*"|\([^()]*\)|<[^<>]*>|[^,"(<]|["(<])+/g) ?? [];
  return entries.map((entry) => decodeWords(entry.trim())).filter((entry) => entry !== '');
}
