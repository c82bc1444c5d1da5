// Which rule set the catch-all rule stands in, and that the bucket takes mail from just that rule.
import { describe, expect, it } from 'vitest';
import { allResources, cloudConfig, fixtureStacks } from './fixture-stacks.ts';

const receivingWith = (overrides: Readonly<Record<string, string>>) => {
  const resources = allResources(fixtureStacks(cloudConfig(overrides)));
  const ofType = (type: string) => resources.filter((each) => each.type === type).map(({ properties }) => properties);
  const [rule] = ofType('AWS::SES::ReceiptRule');
  return {
    sets: ofType('AWS::SES::ReceiptRuleSet').map((set) => set['RuleSetName']),
    ruleName: (rule?.['Rule'] as { readonly Name: string } | undefined)?.Name,
    ruleSet: rule?.['RuleSetName'],
    bucketPolicy: JSON.stringify(ofType('AWS::S3::BucketPolicy')),
  };
};

describe('the catch-all rule', () => {
  it('stands in a set of its own, and the bucket takes what it stores', () => {
    const { sets, ruleName, ruleSet, bucketPolicy } = receivingWith({});
    expect([sets, ruleName]).toEqual([['agent-email-prod'], 'catch-all']);
    expect(ruleSet).toHaveProperty('Ref');
    expect(bucketPolicy).toContain(':receipt-rule-set/agent-email-prod:receipt-rule/catch-all"');
  });

  it('joins the set that the operator names, under a name of its stage, and the bucket takes what it stores there', () => {
    const { sets, ruleName, ruleSet, bucketPolicy } = receivingWith({ RECEIPT_RULE_SET: 'company-mail' });
    expect([sets, ruleName, ruleSet]).toEqual([[], 'agent-email-prod-catch-all', 'company-mail']);
    expect(bucketPolicy).toContain(':receipt-rule-set/company-mail:receipt-rule/agent-email-prod-catch-all"');
  });

  it('is not put into a set with an impossible name', () => {
    expect(() => cloudConfig({ RECEIPT_RULE_SET: 'company mail' })).toThrow(/receiptRuleSet/);
  });
});
