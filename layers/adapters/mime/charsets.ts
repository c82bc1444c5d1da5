// Turns bytes of a named charset into text with the platform's own decoders. Never throws: names and bytes come from strangers.
import { TextDecoder } from 'node:util';

const decoderFor = (charset: string): TextDecoder | undefined => {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
};

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** Bytes without a declared charset: UTF-8 when they are, else Windows-1252, which takes any byte. */
export const decodeUnlabelled = (bytes: Uint8Array): string => {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
};

/** Decodes by a MIME charset name; an unknown name is read as unlabelled bytes. */
export const decodeCharset = (bytes: Uint8Array, charset: string): string => decoderFor(charset)?.decode(bytes) ?? decodeUnlabelled(bytes);
