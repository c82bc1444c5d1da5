// Content types from outside, as they are stored, sent and served: a plain type, and the parameters that can do no harm.
import { MIMEType } from 'node:util';
import { looksEncoded } from '#adapters/mime/encode-words.ts';

const NAME = '[a-z0-9][a-z0-9!#$&^_.+-]{0,126}';
const TYPE = new RegExp(`^${NAME}/${NAME}$`);
/** Without `*`, `%` and `'`: with them a name would be read as a piece of a longer value (RFC 2231). */
const PARAMETER_NAME = new RegExp(`^${NAME}$`);
const PARAMETER_VALUE = /^[\x20-\x7e]+$/;
const TOKEN = /^[A-Za-z0-9!#$&^_.+-]+$/;
/** It is stored with every attachment and repeated in a header. */
const LENGTH_MAX = 512;
/** The name is said in the disposition; a boundary would make parts of what is one file. */
const LEFT_OUT: ReadonlySet<string> = new Set(['name', 'boundary']);

type Parameter = readonly [name: string, value: string];

/** A charset is a plain word; readers look it up in a table, and some of them print what they do not find. */
const isReadable = ([name, value]: Parameter): boolean =>
  name === 'charset' ? TOKEN.test(value) : PARAMETER_VALUE.test(value) && !looksEncoded(value);

const isHarmless = (parameter: Parameter): boolean =>
  PARAMETER_NAME.test(parameter[0]) && !LEFT_OUT.has(parameter[0]) && isReadable(parameter);

const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** The type with its parameters in one spelling, what could forge or hide something left out; undefined without a usable type. */
export const contentTypeOf = (type: string, parameters: Iterable<Parameter>): string | undefined => {
  let text = type.trim().toLowerCase();
  if (!TYPE.test(text)) return undefined;
  for (const [name, value] of [...parameters].filter(isHarmless)) {
    const longer = `${text}; ${name}=${TOKEN.test(value) ? value : quoted(value)}`;
    if (longer.length <= LENGTH_MAX) text = longer;
  }
  return text;
};

/** A Content-Type value in the spelling of `contentTypeOf`; undefined for what is none. */
export const readContentType = (text: string): string | undefined => {
  try {
    const { essence, params } = new MIMEType(text);
    return contentTypeOf(essence, params);
  } catch {
    return undefined;
  }
};
