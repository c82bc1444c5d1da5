// The functions that call strangers' addresses: what they may touch, should one of those calls ever get hold of them.
import { describe, expect, it } from 'vitest';
import { allResources, cloudConfig, fixtureStacks, localConfig } from './fixture-stacks.ts';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const resources = allResources(fixtureStacks(cloudConfig()));
const listOf = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

const statementsOf = (name: string): readonly Statement[] =>
  resources
    .filter((each) => each.type === 'AWS::IAM::Policy' && each.id.startsWith(name))
    .flatMap((each) => (each.properties['PolicyDocument'] as { readonly Statement: readonly Statement[] }).Statement);

const actionsOf = (name: string): readonly string[] => statementsOf(name).flatMap(({ Action }) => listOf(Action));

describe.each(['OnDeliveryDue', 'OnDeliveryRetry'])('%s', (name) => {
  it('reads and writes webhooks and their log, no mail and no account', () => {
    const onTable = statementsOf(name).filter(({ Action }) => listOf(Action).some((action) => action.startsWith('dynamodb:')));

    expect(onTable.length).toBeGreaterThan(0);
    for (const { Condition } of onTable) {
      expect(Condition).toEqual({
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['V#*'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      });
    }
  });

  it('reads one secret, and no object', () => {
    expect(actionsOf(name).filter((action) => action === 'secretsmanager:GetSecretValue')).toHaveLength(1);
    expect(actionsOf(name).filter((action) => action.startsWith('s3:') || action.startsWith('ses:'))).toEqual([]);
  });
});

describe('LOOPBACK_WEBHOOKS', () => {
  const valuesIn = (config: ReturnType<typeof cloudConfig>): Set<unknown> =>
    new Set(
      allResources(fixtureStacks(config))
        .filter(({ type }) => type === 'AWS::Lambda::Function')
        .map(
          (each) =>
            (each.properties['Environment'] as { readonly Variables: Readonly<Record<string, unknown>> }).Variables['LOOPBACK_WEBHOOKS'],
        ),
    );

  it('is on for one machine, off in a cloud, and cannot be turned on there', () => {
    expect(valuesIn(localConfig())).toEqual(new Set(['true']));
    expect(valuesIn(cloudConfig())).toEqual(new Set(['false']));
    expect(() => cloudConfig({ LOOPBACK_WEBHOOKS: 'true' })).toThrow(/loopbackWebhooks/);
  });
});
