// Event filter patterns of Lambda: which records of a stream or queue a function wants to see.
import { asObject } from './shapes.ts';

/** Whether any of the patterns matches; no pattern at all lets everything through. */
export function matchesAny(patterns: readonly unknown[], record: unknown): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, record));
}

function matchesPattern(pattern: unknown, actual: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some((condition) => holds(condition, actual));
  return Object.entries(asObject(pattern)).every(([key, inner]) => {
    if (key === '$or' && Array.isArray(inner)) return inner.some((each) => matchesPattern(each, actual));
    return matchesPattern(inner, asObject(actual)[key]);
  });
}

function holds(condition: unknown, actual: unknown): boolean {
  // A value that is a list matches when one of its members does.
  if (Array.isArray(actual)) return actual.some((each) => holds(condition, each));
  if (typeof condition !== 'object' || condition === null) return condition === actual;
  return Object.entries(condition).every(([operator, operand]) => compares(operator, operand, actual));
}

function compares(operator: string, operand: unknown, actual: unknown): boolean {
  const text = typeof actual === 'string' ? actual : undefined;
  switch (operator) {
    case 'exists':
      return (actual !== undefined) === operand;
    case 'prefix':
      return text?.startsWith(String(operand)) ?? false;
    case 'suffix':
      return text?.endsWith(String(operand)) ?? false;
    case 'equals-ignore-case':
      return text?.toLowerCase() === String(operand).toLowerCase();
    case 'anything-but':
      return actual !== undefined && !(Array.isArray(operand) ? operand : [operand]).some((each) => holds(each, actual));
    case 'numeric':
      return Array.isArray(operand) && inRange(operand, actual);
    default:
      throw new Error(`the filter operator ${operator} is not known here`);
  }
}

/** `['>', 0, '<=', 5]` */
function inRange(bounds: readonly unknown[], actual: unknown): boolean {
  if (typeof actual !== 'number') return false;
  const comparisons: Readonly<Record<string, (limit: number) => boolean>> = {
    '=': (limit) => actual === limit,
    '>': (limit) => actual > limit,
    '>=': (limit) => actual >= limit,
    '<': (limit) => actual < limit,
    '<=': (limit) => actual <= limit,
  };
  for (let index = 0; index < bounds.length; index += 2) {
    if (!comparisons[String(bounds[index])]?.(Number(bounds[index + 1]))) return false;
  }
  return true;
}
