// Cuts the header block out of a message and into fields. It looks at a bounded number of bytes, once,
// and what it yields is the only source of header data: so a full and a header-only reading always agree.
import { decodeUnlabelled } from '#adapters/mime/charsets.ts';

/** Lower-case field name → unfolded values in order of appearance. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIELDS_MAX = 2_000;
const VALUE_LENGTH_MAX = 262_144;
/** RFC 5322 ftext; a name with anything else would be a trap for whoever prints it. */
const FIELD_NAME = /^[!-9;-~]{1,200}$/;
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/g;

/** Offset of the first byte after the header block, or -1 when the empty line is not within `bytes`. */
export const headerEnd = (bytes: Uint8Array): number => {
  let position = 0;
  for (;;) {
    const lineFeed = bytes.indexOf(LINE_FEED, position);
    if (lineFeed < 0) return -1;
    const isEmpty = lineFeed === position || (lineFeed === position + 1 && bytes[position] === CARRIAGE_RETURN);
    if (isEmpty) return lineFeed + 1;
    position = lineFeed + 1;
  }
};

/** Unfolds: a line that begins with a blank continues the one before. */
const logicalLines = (block: string): string[] => {
  const lines: string[][] = [];
  for (const line of block.split('\n')) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    const continues = text.startsWith(' ') || text.startsWith('\t');
    if (continues) lines.at(-1)?.push(text);
    else lines.push([text]);
  }
  return lines.map((parts) => parts.join(''));
};

const addField = (fields: Map<string, string[]>, line: string): boolean => {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
  if (!FIELD_NAME.test(name)) return false;
  const value = line
    .slice(colon + 1, colon + 1 + VALUE_LENGTH_MAX)
    .replace(CONTROL, '')
    .trim();
  const values = fields.get(name);
  if (values === undefined) fields.set(name, [value]);
  else values.push(value);
  return true;
};

/** Reads the header fields within the first `bytesMax` bytes; lines that are no field are skipped. */
export const readHeaderFields = (bytes: Uint8Array, bytesMax: number): HeaderFields => {
  const head = bytes.subarray(0, bytesMax);
  const end = headerEnd(head);
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const line of logicalLines(decodeUnlabelled(end < 0 ? head : head.subarray(0, end)))) {
    if (addField(fields, line)) count += 1;
    if (count === FIELDS_MAX) break;
  }
  return fields;
};
