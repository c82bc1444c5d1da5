// Whoever is woken by an alarm finds its heading in operations.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it, vi } from 'vitest';
import { ROOT } from '#infra/inventory.ts';
import { countMetric } from '#runtime/metrics.ts';
import { RUNBOOK } from '#infra/stacks/monitoring-stack.ts';
import { allResources, cloudConfig, fixtureStacks } from './fixture-stacks.ts';

const stacks = fixtureStacks(cloudConfig());
const resources = allResources(stacks);
const alarms = resources.filter(({ type }) => type === 'AWS::CloudWatch::Alarm');
const alarmNames = alarms.map((alarm) => String(alarm.properties['AlarmName']));
const subjectsUnder = (heading: string): readonly string[] =>
  alarmNames.filter((name) => name.split('/')[1] === heading).map((name) => name.split('/')[2] ?? '');

describe('alarms', () => {
  it('each have their heading, and no heading is left without an alarm', () => {
    const text = readFileSync(join(ROOT, 'infra/operations.md'), 'utf8');
    const [, section = ''] = text.split('\n# Alarms\n');
    const headings = [...section.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(headings).toEqual([...RUNBOOK]);
    expect(new Set(alarmNames.map((name) => name.split('/')[1]))).toEqual(new Set(RUNBOOK));
  });

  it('watch every dead-letter queue', () => {
    const deadLetterQueues = resources.filter(
      ({ type, properties }) => type === 'AWS::SQS::Queue' && String(properties['QueueName']).endsWith('-dead'),
    );
    expect(deadLetterQueues.length).toBeGreaterThan(0);
    expect(subjectsUnder('dead-letters')).toHaveLength(deadLetterQueues.length);
  });

  it('watch every function', () => {
    const functions = resources.filter(({ type }) => type === 'AWS::Lambda::Function');
    expect(subjectsUnder('function-errors')).toHaveLength(functions.length);
    expect(subjectsUnder('function-throttles')).toHaveLength(functions.length);
  });

  it('refer to the table and the API alone, so that a function or a queue can be removed', () => {
    const { Resources } = Template.fromStack(stacks.monitoring).toJSON() as { readonly Resources: unknown };
    const imports = [...JSON.stringify(Resources).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map((match) => String(match[1]));
    expect([...new Set(imports)].map((name) => name.replace(/[0-9A-F]{8,}$/, '')).sort()).toEqual([
      'agent-email-prod-api:ExportsOutputRefGatewayApi',
      'agent-email-prod-data:ExportsOutputRefTable',
    ]);
  });

  it('watch every reader of the stream, for records are lost after a day', () => {
    const readers = resources.filter(
      ({ type, properties }) => type === 'AWS::Lambda::EventSourceMapping' && properties['StartingPosition'] !== undefined,
    );
    expect(readers.length).toBeGreaterThan(0);
    expect(subjectsUnder('stream-age')).toHaveLength(readers.length);
  });

  it('watch the global index beside the table, whose metrics do not include it', () => {
    const names = resources
      .filter(({ type }) => type === 'AWS::DynamoDB::Table')
      .flatMap(({ properties }) => properties['GlobalSecondaryIndexes'] as readonly { readonly IndexName: string }[])
      .flatMap(({ IndexName }) => [`${IndexName}-ReadThrottleEvents`, `${IndexName}-WriteThrottleEvents`]);
    expect(subjectsUnder('table-throttles')).toEqual(expect.arrayContaining(names));
  });

  it('ring at the first write that a full partition refuses, by the metric as it is counted', () => {
    const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    countMetric('partition_full', 'ten_gigabytes');
    const line = JSON.parse(String(output.mock.calls[0]?.[0]));
    output.mockRestore();
    const { CloudWatchMetrics } = line._aws;
    const alarm = alarms.find(({ properties }) => properties['AlarmName'] === 'agent-email-prod/partition-full/table')?.properties;
    expect(CloudWatchMetrics).toMatchObject([
      { Namespace: alarm?.['Namespace'], Dimensions: expect.arrayContaining([['stage']]), Metrics: [{ Name: alarm?.['MetricName'] }] },
    ]);
    expect(alarm).toMatchObject({ Dimensions: [{ Name: 'stage', Value: 'prod' }], Threshold: 0 });
  });

  it('watch functions and queues that exist', () => {
    const dimensions = alarms.flatMap(
      ({ properties }) => (properties['Dimensions'] ?? []) as readonly { readonly Name: string; readonly Value: unknown }[],
    );
    const watched = (name: string) => new Set(dimensions.filter((each) => each.Name === name).map((each) => each.Value));
    const existing = (type: string, property: string) =>
      new Set(resources.filter((each) => each.type === type).map((each) => each.properties[property]));
    expect(watched('FunctionName')).toEqual(existing('AWS::Lambda::Function', 'FunctionName'));
    expect(watched('QueueName')).toEqual(existing('AWS::SQS::Queue', 'QueueName'));
  });

  it('tell the operator', () => {
    const subscriptions = resources.filter(({ stack, type }) => type === 'AWS::SNS::Subscription' && stack.endsWith('-monitoring'));
    expect(subscriptions.map(({ properties }) => [properties['Protocol'], properties['Endpoint']])).toEqual([['email', 'ops@example.com']]);
  });

  it('may publish to the topic that tells him, as alarms of this account alone', () => {
    const policies = resources.filter(({ stack, type }) => type === 'AWS::SNS::TopicPolicy' && stack.endsWith('-monitoring'));
    const statements = policies.flatMap(
      ({ properties }) => (properties['PolicyDocument'] as { readonly Statement: readonly Readonly<Record<string, unknown>>[] }).Statement,
    );
    expect(statements.filter((statement) => statement['Effect'] === 'Allow')).toMatchObject([
      {
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  });
});
