// cdk-nag's AWS Solutions rules over the whole service, in both kinds of stage.
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { cloudConfig, fixtureStacks, localConfig } from './fixture-stacks.ts';

describe.each([
  ['cloud', cloudConfig()],
  ['local', localConfig()],
])('the %s stage', (_, config) => {
  it('leaves no finding of the AWS Solutions rules without an acknowledged reason', () => {
    const { app } = fixtureStacks(config);
    // Only then are references between stacks what they are in the template, which findings quote.
    app.synth();
    const report = new AwsSolutionsChecks(app).validateScope(app);
    const findings = report.violations.map((violation) => ({
      rule: violation.ruleName,
      at: violation.violatingResources.map((resource) => resource.resourceLogicalId),
    }));
    expect(findings).toEqual([]);
  });
});
