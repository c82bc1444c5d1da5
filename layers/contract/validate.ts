// Turns a request's parts into a row's parsed input, or into a failure whose sentence names the field at fault.
import type * as z from 'zod';
import { type ErrorCode, ERROR_CODES, fail, ok, type Outcome } from '#domain/errors.ts';

/** One refused field: where, and what is wrong with it. */
export interface FieldIssue {
  readonly field: string;
  readonly message: string;
}

const isErrorCode = (value: unknown): value is ErrorCode => ERROR_CODES.some((code) => code === value);

/** `attachments[0].filename` from `['attachments', 0, 'filename']`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`)).join('');
}

const sentence = ({ field, message }: FieldIssue): string => (field === '' ? message : `${field} ${message}`);

const params = (issue: z.core.$ZodIssue): Record<string, unknown> =>
  issue.code === 'custom' && issue.params !== undefined ? issue.params : {};

const listed = (values: unknown): string => (Array.isArray(values) ? values.map(String).join(', ') : String(values));

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

function bound(issue: z.core.$ZodRawIssue, word: string, limit: 'minimum' | 'maximum'): string {
  const unit = UNITS[String(issue['origin'])];
  return `must ${unit === undefined ? 'be' : 'have'} ${word} ${String(issue[limit])}${unit ?? ''}`;
}

/** Says "is required" where the value is missing; anything else keeps zod's own wording. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  if (issue.code === 'invalid_value') return `must be one of ${listed(issue['values'])}`;
  if (issue.code === 'invalid_type') return `must be of type ${String(issue['expected'])}`;
  if (issue.code === 'too_small')
    return issue['origin'] === 'string' && issue['minimum'] === 1 ? 'is required' : bound(issue, 'at least', 'minimum');
  if (issue.code === 'too_big') return bound(issue, 'at most', 'maximum');
  return undefined;
}

/**
 * Parses a value by a request schema. A failure is `invalid_request` (or the code that the refused field names),
 * its message names each field, and `fields.issues` lists them.
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): Outcome<z.output<S>> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return ok(result.data);
  const issues = result.error.issues.map((issue) => ({ field: fieldName(issue.path), message: issue.message }));
  const detail = params(result.error.issues[0] ?? { code: 'custom', path: [], message: '' });
  const hint = typeof detail['hint'] === 'string' ? { hint: detail['hint'] } : {};
  const code = isErrorCode(detail['code']) ? detail['code'] : 'invalid_request';
  return fail(code, { message: issues.slice(0, 5).map(sentence).join('; '), fields: { issues }, ...hint });
}
