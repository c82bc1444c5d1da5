// The readable text of an HTML mail, by one scan with no tree and no recursion: a message may nest a million tags
// or leave all of them open, and the cost stays one look at each character.

const HTML_LENGTH_MAX = 2_000_000;
const TAG_LENGTH_MAX = 20_000;
const ENTITY_LENGTH_MAX = 12;

/** Elements whose content is no text for a reader. */
const HIDDEN_ELEMENTS: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template', 'iframe']);
/** Elements that a reader sees as a line of their own. */
const BREAKING_ELEMENTS: ReadonlySet<string> = new Set([
  ...['address', 'article', 'blockquote', 'br', 'dd', 'div', 'dl', 'dt', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['header', 'hr', 'li', 'main', 'nav', 'ol', 'p', 'pre', 'section', 'table', 'tr', 'ul'],
]);
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', shy: '', zwnj: '', zwj: '' },
  ...{ copy: '©', reg: '®', trade: '™', hellip: '…', mdash: '—', ndash: '–', bull: '•', middot: '·', laquo: '«', raquo: '»' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bdquo: '„', euro: '€', pound: '£', yen: '¥', cent: '¢', sect: '§', deg: '°' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è', agrave: 'à' },
  ...{ aacute: 'á', iacute: 'í', oacute: 'ó', uacute: 'ú', ntilde: 'ñ', ccedil: 'ç', acirc: 'â', ecirc: 'ê', ocirc: 'ô', aring: 'å' },
  ...{ times: '×', divide: '÷', plusmn: '±', frac12: '½', larr: '←', rarr: '→', uarr: '↑', darr: '↓' },
};

const decodeEntity = (name: string): string | undefined => {
  if (!name.startsWith('#')) return Object.hasOwn(NAMED_ENTITIES, name) ? NAMED_ENTITIES[name] : undefined;
  const isHex = name[1] === 'x' || name[1] === 'X';
  const digits = name.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[0-9a-fA-F]+$/ : /^[0-9]+$/).test(digits)) return undefined;
  const code = Number.parseInt(digits, isHex ? 16 : 10);
  const isText = code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code <= 0x9f) && !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : ' ';
};

/** Decodes character references; an unknown one stays as it was written. */
const decodeEntities = (text: string): string => {
  if (!text.includes('&')) return text;
  const [head = '', ...rest] = text.split('&');
  return rest.reduce((decoded, piece) => {
    const semicolon = piece.slice(0, ENTITY_LENGTH_MAX).indexOf(';');
    const character = semicolon < 1 ? undefined : decodeEntity(piece.slice(0, semicolon));
    return decoded + (character === undefined ? `&${piece}` : character + piece.slice(semicolon + 1));
  }, head);
};

/** Position after the tag that opens at `start`; quoted attribute values may hold `>`. */
const tagEnd = (html: string, start: number): number => {
  const limit = Math.min(html.length, start + TAG_LENGTH_MAX);
  let quote = '';
  for (let position = start + 1; position < limit; position += 1) {
    const character = html[position];
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return position + 1;
    else if ((character === '"' || character === "'") && html[position - 1] === '=') quote = character;
  }
  return limit;
};

/** Finds closing tags of hidden elements; remembers what does not exist, so that no text is searched twice in vain. */
const closingTagFinder = (html: string) => {
  // ASCII alone: lower-casing other letters can change the length, and then no offset fits any more.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const absent = new Set<string>();
  return (name: string, from: number): number => {
    if (absent.has(name)) return html.length;
    const found = lower.indexOf(`</${name}`, from);
    if (found < 0) absent.add(name);
    return found < 0 ? html.length : found;
  };
};

const spacing = (name: string): string => {
  if (BREAKING_ELEMENTS.has(name)) return '\n';
  return CELLS.has(name) ? ' ' : '';
};

/** Source line breaks mean nothing in HTML; only the elements' own breaks do. */
const foldSource = (text: string): string => decodeEntities(text.replace(/[\s\u0000-\u001f]+/g, ' '));

const tidyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[ \u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Visible text of an HTML document; block elements become line breaks. Reads the first 2,000,000 characters, never throws. */
export const htmlToText = (source: string): string => {
  const html = source.slice(0, HTML_LENGTH_MAX);
  const findClosing = closingTagFinder(html);
  const pieces: string[] = [];
  let position = 0;
  while (position < html.length) {
    const open = html.indexOf('<', position);
    pieces.push(foldSource(html.slice(position, open < 0 ? html.length : open)));
    if (open < 0) break;
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4);
      position = close < 0 ? html.length : close + 3;
      continue;
    }
    const name = /^<\/?([a-zA-Z][a-zA-Z0-9]{0,20})/.exec(html.slice(open, open + 24))?.[1]?.toLowerCase();
    const isMarkup = name !== undefined || /[!?/]/.test(html[open + 1] ?? '');
    position = isMarkup ? tagEnd(html, open) : open + 1;
    if (!isMarkup) pieces.push('<');
    if (name === undefined) continue;
    pieces.push(spacing(name));
    if (HIDDEN_ELEMENTS.has(name) && html[open + 1] !== '/') position = findClosing(name, position);
  }
  return tidyLines(pieces.join(''));
};
