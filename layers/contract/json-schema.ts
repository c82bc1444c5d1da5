// Renders zod schemas as the JSON Schema that OpenAPI 3.1 and the reference publish: the wire side, without zod's by-products.
import * as z from 'zod';

export type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{anyOf: [{type: T, ...}, {type: 'null'}]}` becomes `{type: [T, 'null'], ...}`, which readers and generators like better. */
function foldNull(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isObject(anyOf[0]) || !isObject(anyOf[1])) return schema;
  const [value, none] = anyOf;
  if (none['type'] !== 'null' || typeof value['type'] !== 'string' || value['enum'] !== undefined) return schema;
  return { ...value, ...rest, type: [value['type'], 'null'] };
}

/** The bounds of a safe integer say nothing, and the ids are those of a document that stands alone. */
const isNoise = (key: string, value: unknown): boolean =>
  key === '$schema' ||
  key === '$id' ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER);

/** zod drops the default of a schema that transforms its input, so such a schema gives it under a name of ours. */
const publishedKey = (key: string): string => (key === 'publishedDefault' ? 'default' : key);

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, entry]) => !isNoise(key, entry));
  const schema = foldNull(Object.fromEntries(kept.map(([key, entry]) => [publishedKey(key), tidy(entry)])));
  const open = schema['additionalProperties'];
  return isObject(open) && Object.keys(open).length === 0 ? { ...schema, additionalProperties: true } : schema;
}

const tidyObject = (value: unknown): Json => {
  const schema = tidy(value);
  return isObject(schema) ? schema : {};
};

/** Where a named schema stands in the document. */
export const schemaReference = (name: string): string => `#/components/schemas/${name}`;

/**
 * Renders named schemas together, so that one that holds another refers to it.
 * `input` is what a caller sends, `output` what a caller gets.
 */
export function renderNamed(names: ReadonlyMap<z.ZodType, string>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: schemaReference });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidyObject(schema)]));
}

/** Renders one schema whole, as what a caller sends. */
export const renderInput = (schema: z.ZodType): Json => tidyObject(z.toJSONSchema(schema, { io: 'input' }));

/** Renders one schema whole, as what a caller gets. */
export const renderOutput = (schema: z.ZodType): Json => tidyObject(z.toJSONSchema(schema, { io: 'output' }));

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
}

/** The properties of a rendered object, in order. */
export function fieldsOf(rendered: Json): readonly Field[] {
  const properties = isObject(rendered['properties']) ? rendered['properties'] : {};
  const required = Array.isArray(rendered['required']) ? rendered['required'] : [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema: isObject(schema) ? schema : {},
  }));
}
