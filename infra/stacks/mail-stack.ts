// How mail enters and leaves: the domain's identity, the receipt rule, the outbound configuration set, and every
// queue that work waits in.
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { CfnConfigurationSet, CfnConfigurationSetEventDestination, EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import { type Config, resourceNames } from '#infra/config.ts';
import { constructId } from '#infra/constructs/area-function.ts';
import { QueueWithDlq } from '#infra/constructs/queue-with-dlq.ts';
import { mailTopic, ReceiptRules } from '#infra/constructs/receipt-rules.ts';
import { eventSourceOf, sizeOf } from '#infra/event-sources.ts';
import type { FunctionEntry } from '#infra/inventory.ts';
import type { QueueName } from '#infra/permissions.ts';

/** The life of an outbound message as SES tells it; opens and clicks are nobody's business. */
const OUTBOUND_EVENTS = ['send', 'delivery', 'bounce', 'complaint', 'reject', 'deliveryDelay'];

/** SES itself needs these two, whether or not their consumers are built yet. */
const ALWAYS: readonly QueueName[] = ['inbound', 'ses-events'];
const FALLBACK_TIMEOUT_SECONDS = 60;

export interface MailStackProps extends StackProps {
  readonly config: Config;
  readonly bucket: Bucket;
  readonly functions: readonly FunctionEntry[];
}

const consumedQueues = (functions: readonly FunctionEntry[]): ReadonlyMap<QueueName, number> => {
  const timeouts = new Map<QueueName, number>(ALWAYS.map((name) => [name, FALLBACK_TIMEOUT_SECONDS]));
  for (const { name } of functions.filter((entry) => entry.kind === 'event')) {
    const source = eventSourceOf(name);
    if (source.kind === 'queue') timeouts.set(source.queue, sizeOf(name).timeoutSeconds);
  }
  return timeouts;
};

/** Identity, receiving, outbound events and queues. */
export class MailStack extends Stack {
  readonly queues: ReadonlyMap<QueueName, QueueWithDlq>;

  constructor(scope: Construct, id: string, props: MailStackProps) {
    super(scope, id, props);
    const { prefix } = resourceNames(props.config);
    this.queues = new Map(
      [...consumedQueues(props.functions)].map(([name, consumerTimeoutSeconds]) => [
        name,
        new QueueWithDlq(this, `${constructId(name)}Queue`, { name: `${prefix}-${name}`, consumerTimeoutSeconds }),
      ]),
    );
    this.makeIdentity(props.config);
    new ReceiptRules(this, 'Receiving', { config: props.config, bucketName: props.bucket.bucketName, queue: this.queueOf('inbound') });
    this.makeOutbound(props.config);
  }

  private queueOf(name: QueueName): QueueWithDlq {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`no queue ${name}`);
    return queue;
  }

  private makeIdentity(config: Config): void {
    const identity = new EmailIdentity(this, 'Identity', {
      identity: Identity.domain(config.mailDomain),
      mailFromDomain: `bounce.${config.mailDomain}`,
      // Bounces come as events; by mail they would land in the sending agent's inbox as well.
      feedbackForwarding: false,
    });
    identity.dkimRecords.forEach((record, index) => {
      new CfnOutput(this, `Dkim${index + 1}`, { value: `${record.name} CNAME ${record.value}`, description: 'DNS record to add' });
    });
    new CfnOutput(this, 'MailExchange', {
      value: `${config.mailDomain} MX 10 inbound-smtp.${this.region}.amazonaws.com`,
      description: 'DNS record to add',
    });
  }

  private makeOutbound(config: Config): void {
    const set = new CfnConfigurationSet(this, 'Outbound', {
      name: resourceNames(config).configurationSet,
      deliveryOptions: { tlsPolicy: 'OPTIONAL' },
      reputationOptions: { reputationMetricsEnabled: true },
      suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
    const topic = mailTopic(this, 'OutboundTopic', `${resourceNames(config).prefix}-ses-events`, this.queueOf('ses-events'));
    const destination = new CfnConfigurationSetEventDestination(this, 'OutboundEvents', {
      configurationSetName: set.ref,
      eventDestination: { name: 'queue', enabled: true, matchingEventTypes: OUTBOUND_EVENTS, snsDestination: { topicArn: topic.topicArn } },
    });
    destination.node.addDependency(topic);
  }
}
