// Reads untyped JSON (templates, replies of emulators) as the shape that is expected, or as nothing.

export type Json = Readonly<Record<string, unknown>>;

/** The value when it is an object, else an empty one. */
export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The value when it is an array, the value alone in an array when it is anything else but nothing. */
export function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The value as text; numbers and booleans as CloudFormation writes them. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** The value as a number, also when it is written as text. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The value as a boolean, also when it is written as text. */
export function asBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

/** An object of texts only; whatever is no text is left out. */
export function asTexts(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(asObject(value)).flatMap(([key, each]) => {
    const text = asText(each);
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * An object that has none but the given members.
 * @throws TypeError that lists them: a misspelt member that is passed over looks as if it had worked.
 */
export function readMembers(value: unknown, what: string, members: readonly string[]): Json {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && Object.keys(value).every((name) => members.includes(name))) return value as Json;
  throw new TypeError(`${what} must be a JSON object with no other members than ${members.join(', ')}`);
}
