// Decides whether a function's policies allow an action, as IAM does for identity policies: a matching Deny wins,
// else one matching Allow is enough, else no. What it does not understand never matches.
import type { PolicyStatement } from '#infra/local/model.ts';

/** One thing a call needs to be allowed: any of the actions, on the resource, under the facts of the request. */
export interface Permission {
  /** Usually one; where AWS takes either of two, both, the more telling first. */
  readonly actions: readonly string[];
  readonly resource: string;
  /** Values of condition keys that the request has, e.g. `dynamodb:LeadingKeys`. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

export type Decision = 'allowed' | 'explicitly-denied' | 'not-allowed';

const compiledPatterns = new Map<string, RegExp>();

/** Matches IAM's wildcards: `*` for any run of characters, `?` for one. */
function matchesPattern(pattern: string, value: string, options: { readonly ignoreCase?: boolean } = {}): boolean {
  const flags = options.ignoreCase ? 'isu' : 'su';
  const key = `${flags}${pattern}`;
  const compiled = compiledPatterns.get(key) ?? compilePattern(pattern, flags);
  compiledPatterns.set(key, compiled);
  return compiled.test(value);
}

function compilePattern(pattern: string, flags: string): RegExp {
  const source = pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, flags);
}

type Comparison = (actual: string, wanted: string) => boolean;

const equals: Comparison = (actual, wanted) => actual === wanted;
const like: Comparison = (actual, wanted) => matchesPattern(wanted, actual);
const equalsIgnoringCase: Comparison = (actual, wanted) => actual.toLowerCase() === wanted.toLowerCase();

const COMPARISONS: Readonly<Record<string, { readonly compare: Comparison; readonly negated: boolean }>> = {
  StringEquals: { compare: equals, negated: false },
  StringNotEquals: { compare: equals, negated: true },
  StringEqualsIgnoreCase: { compare: equalsIgnoringCase, negated: false },
  StringLike: { compare: like, negated: false },
  StringNotLike: { compare: like, negated: true },
  ArnEquals: { compare: like, negated: false },
  ArnLike: { compare: like, negated: false },
  Bool: { compare: equalsIgnoringCase, negated: false },
};

const wantedValues = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String);

/** One `operator: { key: values }` of a Condition block. Keys that the request says nothing of do not match. */
function conditionHolds(operator: string, actual: readonly string[] | undefined, wanted: readonly string[]): boolean {
  const [, quantifier, base = '', ifExists] = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  if (base === 'Null') return wanted.includes(String(actual === undefined));
  const comparison = COMPARISONS[base];
  if (!comparison) return false;
  if (actual === undefined) return ifExists !== undefined;
  const holds = (value: string): boolean => wanted.some((pattern) => comparison.compare(value, pattern)) !== comparison.negated;
  return quantifier === 'ForAnyValue' ? actual.some(holds) : actual.every(holds) && (quantifier !== undefined || actual.length > 0);
}

function conditionsHold(statement: PolicyStatement, context: Permission['context']): boolean {
  return Object.entries(statement.conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, value]) => conditionHolds(operator, context[key], wantedValues(value))),
  );
}

function statementMatches(statement: PolicyStatement, permission: Permission): boolean {
  return (
    statement.actions.some((pattern) => permission.actions.some((action) => matchesPattern(pattern, action, { ignoreCase: true }))) &&
    statement.resources.some((pattern) => matchesPattern(pattern, permission.resource)) &&
    conditionsHold(statement, permission.context)
  );
}

/** Decides one permission against all statements of a function's role. */
export function decide(policies: readonly PolicyStatement[], permission: Permission): Decision {
  const matching = policies.filter((statement) => statementMatches(statement, permission));
  if (matching.some((statement) => statement.effect === 'Deny')) return 'explicitly-denied';
  return matching.length > 0 ? 'allowed' : 'not-allowed';
}
