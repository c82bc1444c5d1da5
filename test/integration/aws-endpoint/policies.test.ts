// The evaluation of policies by itself: wildcards, operators, and what must not match.
import { describe, expect, test } from 'vitest';
import { decide } from '#infra/local/aws/iam.ts';
import type { PolicyStatement } from '#infra/local/model.ts';
import { allow, deny } from './harness.ts';

const ACTION = 'dynamodb:PutItem';
const RESOURCE = 'arn:aws:dynamodb:us-east-1:000000000000:table/mail';
const ask = (policies: readonly PolicyStatement[], context: Record<string, readonly string[]> = {}) =>
  decide(policies, { actions: [ACTION], resource: RESOURCE, context });
const under = (operator: string, values: unknown, context: Record<string, readonly string[]>) =>
  ask([allow(ACTION, RESOURCE, { [operator]: { 'x:key': values } })], context);

describe('actions and resources', () => {
  test.each([
    ['dynamodb:PutItem', RESOURCE],
    ['DynamoDB:putitem', RESOURCE],
    ['dynamodb:P*', '*'],
    ['*', 'arn:aws:dynamodb:*:*:table/m?il'],
    ['dynamodb:?utItem', `${RESOURCE}*`],
  ])('%s on %s matches', (action, resource) => {
    expect(ask([allow(action, resource)])).toBe('allowed');
  });

  test.each([
    ['dynamodb:Put', RESOURCE],
    ['s3:*', '*'],
    ['dynamodb:PutItem', `${RESOURCE}/index/*`],
    ['dynamodb:PutItem', 'arn.aws:dynamodb:us-east-1:000000000000:table/mail'.replace('arn.', 'arn-')],
    ['dynamodb.PutItem', RESOURCE],
    ['dynamodb:PutItem', RESOURCE.toUpperCase()],
  ])('%s on %s does not', (action, resource) => {
    expect(ask([allow(action, resource)])).toBe('not-allowed');
  });

  test('a Deny wins wherever it stands', () => {
    expect(ask([deny('dynamodb:*'), allow('*')])).toBe('explicitly-denied');
    expect(ask([allow('*'), deny('dynamodb:Delete*')])).toBe('allowed');
  });
});

describe('conditions', () => {
  test.each([
    ['StringEquals', ['a', 'b'], ['b'], 'allowed'],
    ['StringEquals', 'a', ['A'], 'not-allowed'],
    ['StringEqualsIgnoreCase', 'a', ['A'], 'allowed'],
    ['StringLike', 'mail/*', ['mail/x/y'], 'allowed'],
    ['StringNotEquals', 'a', ['b'], 'allowed'],
    ['StringNotLike', 'a*', ['ab'], 'not-allowed'],
    ['Bool', true, ['true'], 'allowed'],
    ['ForAllValues:StringLike', ['H#*'], ['H#1', 'H#2'], 'allowed'],
    ['ForAllValues:StringLike', ['H#*'], ['H#1', 'A#2'], 'not-allowed'],
    ['ForAllValues:StringEquals', ['a'], [], 'allowed'],
    ['ForAnyValue:StringEquals', ['a'], ['b', 'a'], 'allowed'],
    ['StringEquals', 'a', [], 'not-allowed'],
    ['DateLessThan', '2030-01-01', ['2020-01-01'], 'not-allowed'],
  ] as const)('%s %s with %s: %s', (operator, wanted, actual, decision) => {
    expect(under(operator, wanted, { 'x:key': actual })).toBe(decision);
  });

  test('a key the request says nothing of matches only IfExists', () => {
    expect(under('StringEquals', 'a', {})).toBe('not-allowed');
    expect(under('ForAllValues:StringEquals', 'a', {})).toBe('not-allowed');
    expect(under('StringEqualsIfExists', 'a', {})).toBe('allowed');
    expect(under('StringEqualsIfExists', 'a', { 'x:key': ['b'] })).toBe('not-allowed');
  });
});
