// The event side: functions woken by queues, by the table's stream and by schedules.
import { Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { resourceNames } from '#infra/config.ts';
import { AreaFunction } from '#infra/constructs/area-function.ts';
import { deadLetterQueue } from '#infra/constructs/queue-with-dlq.ts';
import { scheduledFunction } from '#infra/constructs/scheduled-function.ts';
import type { SharedResources } from '#infra/constructs/shared-resources.ts';
import { eventSourceOf, type QueueSource, type StreamSource } from '#infra/event-sources.ts';
import type { FunctionEntry } from '#infra/inventory.ts';

/** A change that fails this often, alone after bisecting, goes to the dead letters; the stream itself keeps 24 h. */
const STREAM_RETRIES = 10;

export interface WorkersStackProps extends StackProps {
  readonly shared: SharedResources;
}

/** Event functions and what wakes them. */
export class WorkersStack extends Stack {
  constructor(scope: Construct, id: string, props: WorkersStackProps) {
    super(scope, id, props);
    const workers = props.shared.bundles.functions.filter((entry) => entry.kind === 'event');
    for (const entry of workers) this.makeWorker(entry, props.shared);
  }

  private makeWorker(entry: FunctionEntry, shared: SharedResources): void {
    const source = eventSourceOf(entry.name);
    if (source.kind === 'schedule') {
      scheduledFunction(this, entry, source, shared);
      return;
    }
    const made = new AreaFunction(this, entry, shared);
    if (source.kind === 'queue') consumeQueue(made, source, shared);
    if (source.kind === 'stream') consumeStream(made, source, shared);
  }
}

const consumeQueue = (made: AreaFunction, source: QueueSource, shared: SharedResources): void => {
  const found = shared.queues.get(source.queue);
  if (!found) throw new Error(`${made.entry.name} consumes ${source.queue}, which is not made`);
  made.role.addToPolicy(
    new PolicyStatement({
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'],
      resources: [found.queue.queueArn],
    }),
  );
  new EventSourceMapping(made, 'Source', {
    target: made.lambda,
    eventSourceArn: found.queue.queueArn,
    batchSize: source.batchSize,
    reportBatchItemFailures: true,
    ...(source.concurrencyMax === undefined ? {} : { maxConcurrency: source.concurrencyMax }),
    ...(source.batchWindowSeconds === undefined ? {} : { maxBatchingWindow: Duration.seconds(source.batchWindowSeconds) }),
  });
};

const consumeStream = (made: AreaFunction, source: StreamSource, shared: SharedResources): void => {
  const streamArn = shared.table.tableStreamArn;
  if (streamArn === undefined) throw new Error('the table has no stream');
  const deadLetters = deadLetterQueue(made, 'DeadLetters', `${resourceNames(shared.config).prefix}-${made.entry.name}-dead`);
  Validations.of(deadLetters).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'It is the dead-letter queue of the stream consumer' });
  made.role.addToPolicy(
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      resources: [streamArn],
    }),
  );
  made.role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }));
  new EventSourceMapping(made, 'Source', {
    target: made.lambda,
    eventSourceArn: streamArn,
    batchSize: source.batchSize,
    // From the oldest change: a stored mail cannot lose its event because the consumer was made later.
    startingPosition: StartingPosition.TRIM_HORIZON,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    retryAttempts: STREAM_RETRIES,
    onFailure: new SqsDlq(deadLetters),
    ...(source.filters.length > 0 ? { filters: source.filters.map((filter) => ({ pattern: JSON.stringify(filter) })) } : {}),
  });
};
