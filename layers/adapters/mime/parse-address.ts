// Reads one mail address, strictly. Written as character scans with length caps: what arrives here is hostile,
// and a lenient reader would let one string mean two recipients, or mean another one to the next program.
import type { MailAddress } from '#domain/ports/mail-content.ts';

const ADDRESS_LENGTH_MAX = 320;
const LOCAL_PART_LENGTH_MAX = 64;
const DOMAIN_LENGTH_MAX = 253;
const LABEL_LENGTH_MAX = 63;

/** RFC 5322 atext. A class with one `+` cannot backtrack. */
const ATEXT = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
const DOMAIN_LABEL = /^[a-z0-9-]+$/;
const PRINTABLE_ASCII = /^[ -~]*$/;
/** Outside quotes these make a list, a group, a comment or a second address. */
const PHRASE_SPECIALS = /[()<>[\]:;@\\,"]/;

const isLocalPart = (local: string): boolean => local.length <= LOCAL_PART_LENGTH_MAX && local.split('.').every((atom) => ATEXT.test(atom));

const isLabel = (label: string): boolean =>
  label.length <= LABEL_LENGTH_MAX && DOMAIN_LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-');

const isDomain = (domain: string): boolean => {
  const labels = domain.split('.');
  const top = labels.at(-1) ?? '';
  // A digits-only top label would be an IPv4 address in disguise.
  return domain.length <= DOMAIN_LENGTH_MAX && labels.length >= 2 && labels.every(isLabel) && !/^[0-9]+$/.test(top);
};

/** A bare addr-spec in lower case; undefined for anything else (quoted local parts and domain literals included). */
const parseAddressSpec = (text: string): string | undefined => {
  const at = text.lastIndexOf('@');
  if (at < 1) return undefined;
  const domain = text.slice(at + 1).toLowerCase();
  return isLocalPart(text.slice(0, at)) && isDomain(domain) ? `${text.slice(0, at).toLowerCase()}@${domain}` : undefined;
};

/** Undoes one quoted string; undefined when it is not exactly one. */
const unquote = (text: string): string | undefined => {
  let name = '';
  for (let position = 1; position < text.length; position += 1) {
    const character = text[position];
    if (character === '"') return position === text.length - 1 ? name : undefined;
    if (character === '\\') position += 1;
    name += text[position] ?? '';
  }
  return undefined;
};

const parseDisplayName = (text: string): string | undefined => {
  if (text.startsWith('"')) return unquote(text);
  return PHRASE_SPECIALS.test(text) ? undefined : text;
};

/**
 * Parses `a@b.example`, `<a@b.example>` or `Name <a@b.example>`, at most 320 characters of printable ASCII.
 * Lists, groups, comments, quoted local parts, domain literals and single-label domains are refused.
 */
export const parseAddress = (text: string): MailAddress | undefined => {
  if (text.length > ADDRESS_LENGTH_MAX || !PRINTABLE_ASCII.test(text)) return undefined;
  const trimmed = text.trim();
  if (!trimmed.endsWith('>')) {
    const bare = parseAddressSpec(trimmed);
    return bare === undefined ? undefined : { address: bare };
  }
  const open = trimmed.lastIndexOf('<');
  const address = open < 0 ? undefined : parseAddressSpec(trimmed.slice(open + 1, -1));
  const name = parseDisplayName(trimmed.slice(0, Math.max(open, 0)).trim());
  if (address === undefined || name === undefined) return undefined;
  return name === '' ? { address } : { address, name };
};
