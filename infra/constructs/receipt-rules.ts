// How mail comes in: SES takes every address of the domain, scans, stores the mail in the bucket and tells the topic.
// The notification, not the stored mail, carries the envelope recipients, so a Bcc arrives too.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnReceiptRule, CfnReceiptRuleSet } from 'aws-cdk-lib/aws-ses';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type Config, resourceNames } from '#infra/config.ts';
import type { QueueWithDlq } from './queue-with-dlq.ts';

/** The journal: every mail as it came, kept for 30 days. */
export const INBOUND_PREFIX = 'inbound/';

/** ARN of the catch-all rule, built from names: the bucket's policy needs it before the rule is made. */
export const receiptRuleArn = (scope: Construct, config: Config): string =>
  Stack.of(scope).formatArn({
    service: 'ses',
    resource: 'receipt-rule-set',
    resourceName: `${resourceNames(config).receiptRuleSet}:receipt-rule/${resourceNames(config).receiptRule}`,
  });

/** A topic that SES of this account alone may publish to, and its queue. SES's JSON reaches the queue as it is (raw). */
export function mailTopic(scope: Construct, id: string, topicName: string, queue: QueueWithDlq): Topic {
  const topic = new Topic(scope, id, { topicName, enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('ses.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      // Without it any AWS customer's SES could put mail notifications here in our name.
      conditions: { StringEquals: { 'AWS:SourceAccount': Stack.of(scope).account } },
    }),
  );
  topic.addSubscription(new SqsSubscription(queue.queue, { rawMessageDelivery: true, deadLetterQueue: queue.deadLetters }));
  return topic;
}

export interface ReceiptRulesProps {
  readonly config: Config;
  readonly bucketName: string;
  readonly queue: QueueWithDlq;
}

/**
 * The rule and the topic that tells the queue. The rule stands in a set of its own, which the operator activates
 * (operations.md), or in the set that he named, since an account has but one active set.
 */
export class ReceiptRules extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: ReceiptRulesProps) {
    super(scope, id);
    const names = resourceNames(props.config);
    this.topic = mailTopic(this, 'Topic', `${names.prefix}-inbound`, props.queue);
    const rule = new CfnReceiptRule(this, 'CatchAll', {
      ruleSetName: this.ruleSetName(props.config),
      rule: {
        name: names.receiptRule,
        enabled: true,
        scanEnabled: true,
        // A domain takes all of its addresses; which of them exist is decided when the mail is processed.
        recipients: [props.config.mailDomain],
        actions: [{ s3Action: { bucketName: props.bucketName, objectKeyPrefix: INBOUND_PREFIX, topicArn: this.topic.topicArn } }],
      },
    });
    // SES tries the topic when the rule is made, so its policy has to stand by then.
    rule.node.addDependency(this.topic);
  }

  private ruleSetName(config: Config): string {
    const { receiptRuleSet: ruleSetName } = resourceNames(config);
    return config.receiptRuleSet ? ruleSetName : new CfnReceiptRuleSet(this, 'Set', { ruleSetName }).ref;
  }
}
