// Every IAM statement of the service is exact: no wildcard but below a named object prefix.
import { describe, expect, it } from 'vitest';
import { INBOUND_PREFIX } from '#infra/constructs/receipt-rules.ts';
import { allResources, cloudConfig, fixtureStacks } from './fixture-stacks.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

const resources = allResources(fixtureStacks(cloudConfig()));
const policies = resources.filter(({ type }) => type === 'AWS::IAM::Policy');
const statements = policies.flatMap((policy) => {
  const document = policy.properties['PolicyDocument'] as { readonly Statement: readonly Statement[] };
  return document.Statement.map((statement) => ({ policy: policy.id, statement }));
});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The literal text of an ARN, without references: `/mail/*` of `Fn::Join(['', [{ImportValue}, '/mail/*']])`. */
const literals = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(literals);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'Fn::Join' ? literals(inner) : []));
};

const OBJECT_PREFIXES = ['/mail/*', '/uploads/*', `/${INBOUND_PREFIX}*`];

describe('policies', () => {
  it('name every action in full', () => {
    expect(statements.length).toBeGreaterThan(0);
    for (const { policy, statement } of statements) {
      for (const action of listOf(statement.Action)) expect(action, policy).toMatch(/^[a-z0-9-]+:[A-Za-z0-9]+$/);
    }
  });

  it('name every resource, with a wildcard only below an object prefix', () => {
    for (const { policy, statement } of statements) {
      const wild = listOf(statement.Resource)
        .flatMap(literals)
        .filter((text) => text.includes('*'));
      for (const text of wild) expect(OBJECT_PREFIXES, `${policy}: ${text}`).toContain(text);
    }
  });

  it('name the indexes of the table one by one', () => {
    const indexArns = statements
      .flatMap(({ statement }) => listOf(statement.Resource).flatMap(literals))
      .filter((text) => text.includes('/index/'));
    expect(new Set(indexArns)).toEqual(new Set(['/index/order', '/index/unread', '/index/bonded', '/index/due']));
  });

  it('never let a function change what it is', () => {
    const services = new Set(statements.flatMap(({ statement }) => listOf(statement.Action).map((action) => String(action).split(':')[0])));
    expect([...services].sort()).toEqual(['dynamodb', 'logs', 's3', 'secretsmanager', 'ses', 'sqs']);
  });
});

describe('roles', () => {
  it('have no managed policy, which would bring wildcards along', () => {
    const roles = resources.filter(({ type }) => type === 'AWS::IAM::Role');
    expect(roles.every((role) => role.properties['ManagedPolicyArns'] === undefined)).toBe(true);
  });
});

describe('resource policies', () => {
  it('let SES in for this account alone', () => {
    const documents = resources.filter(({ type }) => ['AWS::S3::BucketPolicy', 'AWS::SNS::TopicPolicy'].includes(type));
    const granted = documents.flatMap(
      (each) => (each.properties['PolicyDocument'] as { readonly Statement: readonly Record<string, unknown>[] }).Statement,
    );
    const toSes = granted.filter((statement) => JSON.stringify(statement['Principal']).includes('ses.amazonaws.com'));
    expect(toSes).toHaveLength(3);
    for (const statement of toSes)
      expect(statement['Condition']).toMatchObject({ StringEquals: { 'AWS:SourceAccount': { Ref: 'AWS::AccountId' } } });
  });
});
