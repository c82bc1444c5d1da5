// A queue whose messages are never lost: what fails five times waits 14 days in a dead-letter queue, under an alarm.
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** AWS advises six times the function's time-out, so that a message is not handed out again while it is still worked on. */
const VISIBILITY_FACTOR = 6;
const RECEIVES_MAX = 5;
/** The longest that SQS keeps a message: time for a person to look. */
const KEEP = Duration.days(14);

export interface QueueWithDlqProps {
  /** Begins both physical names. */
  readonly name: string;
  /** Time-out of the function that consumes it. */
  readonly consumerTimeoutSeconds: number;
}

/** Makes a dead-letter queue as every one here is: encrypted, TLS only, 14 days. */
export const deadLetterQueue = (scope: Construct, id: string, queueName: string): Queue =>
  new Queue(scope, id, { queueName, retentionPeriod: KEEP, encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true });

/** A work queue and its dead-letter queue (`<name>-dead`). */
export class QueueWithDlq extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: QueueWithDlqProps) {
    super(scope, id);
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', `${props.name}-dead`);
    this.queue = new Queue(this, 'Queue', {
      queueName: props.name,
      visibilityTimeout: Duration.seconds(props.consumerTimeoutSeconds * VISIBILITY_FACTOR),
      retentionPeriod: KEEP,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: RECEIVES_MAX },
    });
  }
}
