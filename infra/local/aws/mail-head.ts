// The header section of a mail, field by field and byte for byte, so that single fields can be replaced while
// everything else stays as it was signed.

interface HeaderField {
  readonly name: string;
  /** Unfolded and trimmed. */
  readonly value: string;
  /** The field as it stands, with its line ends; one character per byte. */
  readonly raw: string;
}

export interface MailHead {
  readonly fields: readonly HeaderField[];
  /** `\r\n` or `\n`, as the mail itself has it. */
  readonly newline: string;
  /** From the empty line on. */
  readonly rest: Buffer;
}

/** Where the header section ends: the offset of the empty line, or the length of a mail that has none. */
function headEnd(raw: Buffer): number {
  if (raw.indexOf('\r\n') === 0 || raw.indexOf('\n') === 0) return 0;
  const crlf = raw.indexOf('\r\n\r\n');
  const lf = raw.indexOf('\n\n');
  if (crlf < 0 && lf < 0) return raw.length;
  return lf < 0 || (crlf >= 0 && crlf < lf) ? crlf + 2 : lf + 1;
}

const utf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8');

function readField(raw: string): HeaderField {
  const colon = raw.indexOf(':');
  const value = raw
    .slice(colon + 1)
    .replace(/\r?\n(?=[ \t])/g, '')
    .trim();
  return { name: raw.slice(0, Math.max(colon, 0)).trim(), value: utf8(value), raw };
}

/** Takes a mail apart into header fields and the rest. Never fails: what is no field keeps its bytes under an empty name. */
export function parseHead(mail: Buffer): MailHead {
  const end = headEnd(mail);
  const text = mail.subarray(0, end).toString('latin1');
  const fields = (text.match(/[^\n]*\n(?:[ \t][^\n]*\n)*|[^\n]+$/g) ?? []).map(readField);
  return { fields, newline: text.includes('\r\n') || !text.includes('\n') ? '\r\n' : '\n', rest: mail.subarray(end) };
}

/** All values of a field, in order; names compare without case. */
export function valuesOf(head: MailHead, name: string): readonly string[] {
  return head.fields.filter((field) => field.name.toLowerCase() === name.toLowerCase()).map((field) => field.value);
}

/**
 * Puts the mail together again with fields replaced in place, appended when absent, or removed.
 *
 * @param replacements new values by field name; `undefined` removes every field of that name
 */
export function rewriteHead(head: MailHead, replacements: Readonly<Record<string, string | undefined>>): Buffer {
  const byName = new Map(Object.entries(replacements).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  const placed = new Set<string>();
  const kept = head.fields.map((field) => {
    const key = field.name.toLowerCase();
    const replacement = byName.get(key);
    if (!replacement) return field.raw;
    if (replacement.value === undefined || placed.has(key)) return '';
    placed.add(key);
    return `${field.name}: ${replacement.value}${head.newline}`;
  });
  const added = [...byName].filter(([key, { value }]) => value !== undefined && !placed.has(key));
  // A mail that ends within its head may lack the last line end.
  const last = kept.at(-1);
  if (last !== undefined && last !== '' && !last.endsWith('\n')) kept.push(head.newline);
  const lines = [...kept, ...added.map(([, { name, value }]) => `${name}: ${value}${head.newline}`)];
  return Buffer.concat([Buffer.from(lines.join(''), 'latin1'), head.rest]);
}

/** The bare addresses of an address list; display names, comments and group names are left out. */
export function addressesIn(value: string): readonly string[] {
  const plain = value.replace(/"(?:\\.|[^"\\])*"(?!@)/g, '').replace(/\([^()]*\)/g, '');
  const mailboxes = plain.split(/[,;]/).map((part) => part.replace(/^[^<@]*:/, '').trim());
  return mailboxes.map((mailbox) => /<([^<>]*)>/.exec(mailbox)?.[1]?.trim() ?? mailbox).filter((address) => address.includes('@'));
}
