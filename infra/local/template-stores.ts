// Tables, queues, topics, buckets and secrets of the template, and everything of SES.
import type { LocalBucket, LocalConfigurationSet, LocalQueue, LocalReceiptRule, LocalSecret, LocalTable, LocalTopic } from './model.ts';
import { type ResolvedResource, type ResourceIndex, required } from './resource-index.ts';
import { asBoolean, asList, asObject, asText, asTexts, type Json } from './shapes.ts';

/** Tables, with the CreateTable input that the template's properties amount to. */
export function readTables(index: ResourceIndex): readonly LocalTable[] {
  return index.ofType('AWS::DynamoDB::Table').map((table) => {
    const timeToLive = asObject(table.properties['TimeToLiveSpecification']);
    const ttlAttribute = asBoolean(timeToLive['Enabled']) === false ? undefined : asText(timeToLive['AttributeName']);
    const hasStream = table.properties['StreamSpecification'] !== undefined;
    return {
      logicalId: table.id,
      name: table.name,
      arn: table.arn,
      ...(hasStream ? { streamArn: `${table.arn}/stream/local` } : {}),
      createInput: toCreateInput(table.name, table.properties),
      ...(ttlAttribute === undefined ? {} : { ttlAttribute }),
    };
  });
}

// Billing, encryption and throughput are the cloud's; the emulator bills on demand.
const CREATE_PROPERTIES = ['AttributeDefinitions', 'KeySchema', 'LocalSecondaryIndexes'] as const;

function toCreateInput(name: string, properties: Json): Json {
  const copied = CREATE_PROPERTIES.filter((key) => properties[key] !== undefined).map((key) => [key, properties[key]] as const);
  const globals = asList(properties['GlobalSecondaryIndexes'])
    .map(asObject)
    .map((each) => ({
      IndexName: each['IndexName'],
      KeySchema: each['KeySchema'],
      Projection: each['Projection'],
    }));
  const stream = asObject(properties['StreamSpecification'])['StreamViewType'];
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    ...Object.fromEntries(copied),
    ...(globals.length > 0 ? { GlobalSecondaryIndexes: globals } : {}),
    ...(stream === undefined ? {} : { StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }),
  };
}

const QUEUE_ATTRIBUTES = [
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
  'FifoQueue',
  'ContentBasedDeduplication',
] as const;

/** Queues with their attributes as SQS takes them; a dead-letter queue is one that something else names as such. */
export function readQueues(index: ResourceIndex, namedDeadLetterArns: ReadonlySet<string>): readonly LocalQueue[] {
  const queues = index.ofType('AWS::SQS::Queue');
  const redriveArns = queues.map((queue) => asText(asObject(queue.properties['RedrivePolicy'])['deadLetterTargetArn']));
  const deadLetterArns = new Set([...namedDeadLetterArns, ...redriveArns]);
  return queues.map((queue) => ({
    logicalId: queue.id,
    name: queue.name,
    arn: queue.arn,
    url: queue.queueUrl,
    attributes: queueAttributes(queue.properties),
    isDeadLetterQueue: deadLetterArns.has(queue.arn),
  }));
}

function queueAttributes(properties: Json): Readonly<Record<string, string>> {
  const plain = asTexts(Object.fromEntries(QUEUE_ATTRIBUTES.map((name) => [name, properties[name]])));
  const redrive = properties['RedrivePolicy'];
  return redrive === undefined ? plain : { ...plain, RedrivePolicy: typeof redrive === 'string' ? redrive : JSON.stringify(redrive) };
}

/** Topics with their subscriptions. */
export function readTopics(index: ResourceIndex): readonly LocalTopic[] {
  const subscriptions = index.ofType('AWS::SNS::Subscription');
  return index.ofType('AWS::SNS::Topic').map((topic) => {
    const own = subscriptions.filter((each) => each.properties['TopicArn'] === topic.arn).map((each) => toSubscription(each.properties));
    const inline = asList(topic.properties['Subscription']).map((each) => toSubscription(asObject(each)));
    return { name: topic.name, arn: topic.arn, subscriptions: [...own, ...inline] };
  });
}

function toSubscription(given: Json): LocalTopic['subscriptions'][number] {
  return {
    protocol: asText(given['Protocol']) ?? '',
    endpoint: asText(given['Endpoint']) ?? '',
    raw: asBoolean(given['RawMessageDelivery']) ?? false,
  };
}

export function readBuckets(index: ResourceIndex): readonly LocalBucket[] {
  return index.ofType('AWS::S3::Bucket').map((bucket) => ({ name: bucket.name, arn: bucket.arn, properties: bucket.properties }));
}

export function readSecrets(index: ResourceIndex): readonly LocalSecret[] {
  return index.ofType('AWS::SecretsManager::Secret').map((secret) => {
    const generate = secret.properties['GenerateSecretString'];
    const value = asText(secret.properties['SecretString']);
    return {
      name: secret.name,
      arn: secret.arn,
      ...(generate === undefined ? {} : { generate: asObject(generate) }),
      ...(value === undefined ? {} : { value }),
    };
  });
}

/** The receipt rules in the order in which SES tries them: each after the one it names in `After`. */
export function readReceiptRules(index: ResourceIndex): readonly LocalReceiptRule[] {
  const rules = index.ofType('AWS::SES::ReceiptRule').filter((rule) => asBoolean(asObject(rule.properties['Rule'])['Enabled']) !== false);
  return inOrder(rules).map((resource) => {
    const rule = asObject(resource.properties['Rule']);
    const s3 = asList(rule['Actions'])
      .map((action) => asObject(action)['S3Action'])
      .find((action) => action !== undefined);
    return {
      name: receiptRuleName(resource),
      recipients: asList(rule['Recipients']).map(String),
      scanEnabled: asBoolean(rule['ScanEnabled']) ?? false,
      ...(s3 === undefined ? {} : { s3: toS3Action(asObject(s3)) }),
    };
  });
}

function toS3Action(action: Json): NonNullable<LocalReceiptRule['s3']> {
  const topicArn = asText(action['TopicArn']);
  return {
    bucket: asText(action['BucketName']) ?? '',
    prefix: asText(action['ObjectKeyPrefix']) ?? '',
    ...(topicArn === undefined ? {} : { topicArn }),
  };
}

const receiptRuleName = (resource: ResolvedResource): string => asText(asObject(resource.properties['Rule'])['Name']) ?? resource.name;

function inOrder(rules: readonly ResolvedResource[]): readonly ResolvedResource[] {
  const following = (name: string | undefined): readonly ResolvedResource[] =>
    rules.filter((rule) => asText(rule.properties['After']) === name).flatMap((rule) => [rule, ...following(receiptRuleName(rule))]);
  return following(undefined);
}

export function readConfigurationSets(index: ResourceIndex): readonly LocalConfigurationSet[] {
  const destinations = index.ofType('AWS::SES::ConfigurationSetEventDestination').map((each) => ({
    set: required(each, 'ConfigurationSetName'),
    destination: asObject(each.properties['EventDestination']),
  }));
  return index.ofType('AWS::SES::ConfigurationSet').map((set) => ({
    name: set.name,
    destinations: destinations
      .filter((each) => each.set === set.name && asBoolean(each.destination['Enabled']) !== false)
      .flatMap(({ destination }) => {
        const topicArn = asText(asObject(destination['SnsDestination'])['TopicARN']);
        return topicArn === undefined ? [] : [{ topicArn, eventTypes: asList(destination['MatchingEventTypes']).map(String) }];
      }),
  }));
}

/** Domains and addresses that may send. */
export function readIdentities(index: ResourceIndex): readonly string[] {
  return index.ofType('AWS::SES::EmailIdentity').map((identity) => required(identity, 'EmailIdentity'));
}
