// The alarms. Each is named after a heading of infra/operations.md, which says what to look at and what to do. Functions
// and queues are watched by their names, not by references: CloudFormation refuses to remove what another stack imports.
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { TABLE_SCHEMA } from '#adapters/dynamo/table-schema.ts';
import { type Config, resourceNames } from '#infra/config.ts';
import { constructId } from '#infra/constructs/area-function.ts';
import type { HttpGateway } from '#infra/constructs/http-gateway.ts';

/** Headings of operations.md. */
export const RUNBOOK = [
  'dead-letters',
  'queue-age',
  'function-errors',
  'function-throttles',
  'stream-age',
  'api-errors',
  'table-throttles',
  'partition-full',
  'bounce-rate',
  'complaint-rate',
] as const;
type Heading = (typeof RUNBOOK)[number];

const FIVE_MINUTES = Duration.minutes(5);
/** Mail that waits longer than this is late. */
const QUEUE_AGE_MAX_SECONDS = 300;
/** Attempts that wait on purpose, up to a quarter of an hour, and jobs of endpoints that keep failing. */
const RETRIES_AGE_MAX_SECONDS = 3600;
/** The stream forgets a record after 24 hours, so that there has to be time to mend its reader. */
const STREAM_AGE_MAX_MS = 3_600_000;
/** SES begins a review at 5 % bounces and 0.1 % complaints: the alarm has to come before. */
const BOUNCE_RATE_MAX = 0.03;
const COMPLAINT_RATE_MAX = 0.0005;
/** Over this many failed requests in five minutes it is no accident. */
const API_ERRORS_MAX = 5;

export interface MonitoringStackProps extends StackProps {
  readonly config: Config;
  /** Names of all functions, and of those among them that read the table's stream. */
  readonly functions: readonly string[];
  readonly streamConsumers: readonly string[];
  readonly queues: readonly string[];
  /** The table and the API have names that AWS chose; neither is ever removed, so these two may be referred to. */
  readonly table: Table;
  readonly gateway: HttpGateway;
}

/** Alarms, and the topic that brings them to the operator by mail. */
export class MonitoringStack extends Stack {
  private readonly topic: Topic;
  private readonly prefix: string;

  constructor(scope: Construct, id: string, props: MonitoringStackProps) {
    super(scope, id, props);
    this.prefix = resourceNames(props.config).prefix;
    this.topic = new Topic(this, 'Alarms', { topicName: `${this.prefix}-alarms`, enforceSSL: true });
    this.letAlarmsIn();
    this.topic.addSubscription(new EmailSubscription(props.config.operatorEmail));
    this.watchQueues(props);
    for (const name of props.functions) this.watchFunction(name);
    for (const name of props.streamConsumers) this.watchStream(name);
    this.watchTable(props.table);
    this.watchPartitions(props.config);
    this.watchGateway(props.gateway);
    this.watchReputation();
  }

  /** A topic with a policy of its own, as `enforceSSL` gives it one, has lost the one that lets the account's services publish. */
  private letAlarmsIn(): void {
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'AWS:SourceAccount': this.account } },
      }),
    );
  }

  private alarm(heading: Heading, subject: string, metric: Metric, above: number): void {
    const alarm = new Alarm(this, `${constructId(heading)} ${subject}`, {
      alarmName: `${this.prefix}/${heading}/${subject}`,
      alarmDescription: `infra/operations.md, heading "${heading}"`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }

  private metric(namespace: string, metricName: string, dimensionsMap: Record<string, string>, statistic = 'Sum'): Metric {
    return new Metric({ namespace, metricName, dimensionsMap, statistic, period: FIVE_MINUTES });
  }

  private watchQueues(props: MonitoringStackProps): void {
    for (const name of props.queues) this.watchQueue(name);
    for (const name of [...props.queues, ...props.streamConsumers]) this.watchDeadLetters(name);
  }

  private watchQueue(name: string): void {
    const age = this.metric('AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: `${this.prefix}-${name}` }, 'Maximum');
    this.alarm('queue-age', name, age, name === 'retries' ? RETRIES_AGE_MAX_SECONDS : QUEUE_AGE_MAX_SECONDS);
  }

  /** Of a queue, or of a function that reads the stream. */
  private watchDeadLetters(name: string): void {
    const waiting = this.metric('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: `${this.prefix}-${name}-dead` }, 'Maximum');
    this.alarm('dead-letters', name, waiting, 0);
  }

  private watchFunction(name: string): void {
    const dimensions = { FunctionName: `${this.prefix}-${name}` };
    this.alarm('function-errors', name, this.metric('AWS/Lambda', 'Errors', dimensions), 0);
    this.alarm('function-throttles', name, this.metric('AWS/Lambda', 'Throttles', dimensions), 0);
  }

  private watchStream(name: string): void {
    const age = this.metric('AWS/Lambda', 'IteratorAge', { FunctionName: `${this.prefix}-${name}` }, 'Maximum');
    this.alarm('stream-age', name, age, STREAM_AGE_MAX_MS);
  }

  /** Throttles of a global index are counted under its own name, not under the table's. */
  private watchTable(table: Table): void {
    const index = TABLE_SCHEMA.dueIndex.name;
    for (const metricName of ['ReadThrottleEvents', 'WriteThrottleEvents']) {
      const dimensions = { TableName: table.tableName };
      const ofIndex = { ...dimensions, GlobalSecondaryIndexName: index };
      this.alarm('table-throttles', metricName, this.metric('AWS/DynamoDB', metricName, dimensions), 0);
      this.alarm('table-throttles', `${index}-${metricName}`, this.metric('AWS/DynamoDB', metricName, ofIndex), 0);
    }
  }

  /** DynamoDB tells the size of no partition: what there is to know is that one refused a write. */
  private watchPartitions(config: Config): void {
    this.alarm('partition-full', 'table', this.metric('AgentEmail', 'partition_full', { stage: config.stage }), 0);
  }

  private watchGateway(gateway: HttpGateway): void {
    this.alarm('api-errors', 'gateway', this.metric('AWS/ApiGateway', '5xx', { ApiId: gateway.api.ref }), API_ERRORS_MAX);
  }

  private watchReputation(): void {
    const rate = (metricName: string): Metric =>
      new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1), statistic: 'Maximum' });
    this.alarm('bounce-rate', 'account', rate('Reputation.BounceRate'), BOUNCE_RATE_MAX);
    this.alarm('complaint-rate', 'account', rate('Reputation.ComplaintRate'), COMPLAINT_RATE_MAX);
  }
}
