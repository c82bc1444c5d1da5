// What the account's limits are shared among: requests must not take the executions that incoming mail needs.
import { describe, expect, it } from 'vitest';
import { allResources, cloudConfig, fixtureStacks } from './fixture-stacks.ts';

/** What operations.md has the operator ask for before going live. */
const CONCURRENT_EXECUTIONS = 400;

const resources = allResources(fixtureStacks(cloudConfig()));
const propertiesOf = (type: string) => resources.filter((each) => each.type === type).map(({ properties }) => properties);

describe('concurrent executions', () => {
  it('are enough for the API at its limit and all queue consumers at theirs', () => {
    const consumers = propertiesOf('AWS::Lambda::EventSourceMapping').map(
      (mapping) => (mapping['ScalingConfig'] as { readonly MaximumConcurrency: number } | undefined)?.MaximumConcurrency ?? 0,
    );
    const [stage] = propertiesOf('AWS::ApiGatewayV2::Stage');
    const limits = stage?.['DefaultRouteSettings'] as Readonly<Record<string, number>> | undefined;

    expect(limits?.['ThrottlingRateLimit']).toBeGreaterThan(0);
    expect(Number(limits?.['ThrottlingBurstLimit']) + consumers.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(
      CONCURRENT_EXECUTIONS,
    );
  });
});
