// Attachment names: cleaned when they come from outside, and put safely into a response header when they go out.

const FILENAME_BYTES_MAX = 255;
/** Far more than is kept, so that a megabyte of name costs nothing. */
const RAW_FILENAME_LENGTH_MAX = 4_096;
const EXTENSION_LENGTH_MAX = 20;

/** Controls, separators, and the marks that reverse or hide text: with U+202E `exe.gpj` shows as `jpg.exe`. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
/** Characters with a meaning to a file system or a shell on some platform; the colon also names NTFS streams. */
const RESERVED = /[<>:"|?*]/g;

const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Cuts whole characters from the end of the stem until the name fits, so that the extension survives. */
const fitBytes = (name: string): string => {
  if (byteLength(name) <= FILENAME_BYTES_MAX) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= EXTENSION_LENGTH_MAX ? name.slice(dot) : '';
  let room = FILENAME_BYTES_MAX - byteLength(extension);
  let stem = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem + extension;
};

/**
 * A base name that is safe to save: NFC, no path, no control or direction marks, at most 255 bytes of UTF-8.
 * `attachment-<index + 1>` when nothing usable is left.
 */
export const cleanFilename = (filename: string | undefined, index: number): string => {
  const raw = (filename ?? '').slice(0, RAW_FILENAME_LENGTH_MAX).toWellFormed().normalize('NFC');
  const base = raw.replace(INVISIBLE, '').split(/[/\\]/).at(-1) ?? '';
  // Leading dots hide a file and spell `..`; trailing dots and spaces vanish on Windows.
  const cleaned = base
    .replace(RESERVED, '_')
    .trim()
    .replace(/^[. ]+/, '');
  const fitted = trimDotsAtEnd(fitBytes(cleaned));
  return fitted === '' ? `attachment-${index + 1}` : fitted;
};

/** A loop, since `/[. ]+$/` looks at a run of dots once for each of its characters. */
const trimDotsAtEnd = (name: string): string => {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(0, end);
};

const percentEncode = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The value of a `Content-Disposition` header (RFC 6266): always `attachment`, an ASCII fallback, and the full name
 * as `filename*=UTF-8''…`. Any string is safe to pass.
 */
export const contentDisposition = (filename: string): string => {
  const name = cleanFilename(filename, 0);
  const fallback = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  return `attachment; filename="${fallback}"; filename*=UTF-8''${percentEncode(name)}`;
};
