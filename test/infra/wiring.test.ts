// What the templates wire: every row of the contract, every queue, index, log and secret.
import { describe, expect, it } from 'vitest';
import { DUE_SHARDS, TABLE_SCHEMA } from '#adapters/dynamo/table-schema.ts';
import { AREAS } from '#contract/define-route.ts';
import { ROUTES } from '#contract/routes.ts';
import { listFunctions } from '#infra/inventory.ts';
import { PERMISSIONS } from '#infra/permissions.ts';
import { allResources, cloudConfig, fixtureStacks, localConfig, type TemplateResource } from './fixture-stacks.ts';

interface TableIndex {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
}

const stacks = fixtureStacks(cloudConfig());
const resources = allResources(stacks);
const ofType = (type: string): readonly TemplateResource[] => resources.filter((resource) => resource.type === type);
const stackOf = (resource: TemplateResource, part: string): boolean => resource.stack.endsWith(part);
const refOf = (value: unknown): string | undefined => JSON.stringify(value ?? null).match(/"(?:Ref|Fn::GetAtt)":\[?"([A-Za-z0-9]+)"/)?.[1];

describe('routes', () => {
  const integrations = new Map(ofType('AWS::ApiGatewayV2::Integration').map((each) => [each.id, each]));
  const functionOfRoute = (key: string): string | undefined => {
    const route = ofType('AWS::ApiGatewayV2::Route').find((each) => each.properties['RouteKey'] === key);
    const integration = integrations.get(refOf(route?.properties['Target']) ?? '');
    const target = resources.find(
      (each) => each.id === refOf(integration?.properties['IntegrationUri']) && each.type === 'AWS::Lambda::Function',
    );
    return target?.properties['FunctionName'] as string | undefined;
  };

  it.each(ROUTES.map((row) => [`${row.method} ${row.path}`, row.area] as const))('%s leads to the function of %s', (key, area) => {
    expect(functionOfRoute(key)).toBe(`agent-email-prod-${area}-http`);
  });

  it('sends everything else to the discovery function', () => {
    expect(functionOfRoute('$default')).toBe('agent-email-prod-discovery-http');
  });

  it('has no route that the contract does not name', () => {
    expect(ofType('AWS::ApiGatewayV2::Route')).toHaveLength(ROUTES.length + 1);
  });

  it('puts the payment challenge back where API Gateway may have renamed it', () => {
    const paidAreas = new Set(ROUTES.filter((row) => row.payment).map((row) => row.area));
    const mappings = ofType('AWS::ApiGatewayV2::Integration').map(
      (each) => each.properties['ResponseParameters'] as Readonly<Record<string, unknown>>,
    );
    const bearer = { '401': { ResponseParameters: [{ Destination: 'overwrite:header.www-authenticate', Source: 'Bearer' }] } };
    const restoring = mappings.filter((each) => '402' in each);
    for (const each of mappings) expect(each).toMatchObject(bearer);
    expect(paidAreas.size).toBeGreaterThan(0);
    expect(restoring).toHaveLength(paidAreas.size);
    expect(restoring[0]).toEqual({
      ...bearer,
      '402': { ResponseParameters: [{ Destination: 'overwrite:header.www-authenticate', Source: '$response.header.x-payment-challenge' }] },
    });
  });

  it('lets functions answer preflights, not the gateway', () => {
    expect(ofType('AWS::ApiGatewayV2::Api').every((api) => api.properties['CorsConfiguration'] === undefined)).toBe(true);
  });

  it('has an area function for every area, with its row in permissions.ts', () => {
    expect(Object.keys(PERMISSIONS)).toEqual(expect.arrayContaining(AREAS.map((area) => `${area}-http`)));
    expect(Object.keys(PERMISSIONS)).toEqual(expect.arrayContaining(listFunctions().map((entry) => entry.name)));
  });
});

describe('functions', () => {
  it('run on Node 24 and arm64, each with a role of its own', () => {
    const functions = ofType('AWS::Lambda::Function');
    expect(new Set(functions.map((each) => each.properties['Runtime']))).toEqual(new Set(['nodejs24.x']));
    expect(new Set(functions.map((each) => JSON.stringify(each.properties['Architectures'])))).toEqual(new Set(['["arm64"]']));
    expect(new Set(functions.map((each) => `${each.stack}/${refOf(each.properties['Role'])}`)).size).toBe(functions.length);
  });

  it('write to a log that is kept for a set time', () => {
    for (const group of ofType('AWS::Logs::LogGroup')) expect(group.properties['RetentionInDays']).toBe(30);
    for (const each of ofType('AWS::Lambda::Function')) expect(refOf(each.properties['LoggingConfig'])).toBeDefined();
  });

  it('have the evm-runtime layer only where permissions.ts says so', () => {
    const withLayer = ofType('AWS::Lambda::Function')
      .filter((each) => each.properties['Layers'] !== undefined)
      .map((each) => String(each.properties['FunctionName']).replace('agent-email-prod-', ''));
    const expected = Object.entries(PERMISSIONS)
      .filter(([, row]) => row.layer)
      .map(([name]) => name);
    expect(withLayer.sort()).toEqual(expected.sort());
  });

  it('have the address for payments as it was set, in every deploy anew', () => {
    const addresses = ofType('AWS::Lambda::Function').map(
      (each) => (each.properties['Environment'] as { Variables: Record<string, unknown> } | undefined)?.Variables['DEPOSIT_ADDRESS'],
    );
    expect([...new Set(addresses.filter((address) => address !== undefined))]).toEqual([cloudConfig().depositAddress]);
  });

  it('learn of a secret only when they may read it', () => {
    for (const each of ofType('AWS::Lambda::Function')) {
      const name = String(each.properties['FunctionName']).replace('agent-email-prod-', '');
      const environment = (each.properties['Environment'] as { readonly Variables: Readonly<Record<string, unknown>> }).Variables;
      const told = Object.keys(environment).filter((key) => key.endsWith('_SECRET'));
      expect(told, name).toHaveLength(PERMISSIONS[name]?.secrets?.length ?? 0);
    }
  });
});

describe('queues', () => {
  const queues = ofType('AWS::SQS::Queue');
  const deadLetterIds = new Set([
    ...queues.map((queue) => refOf(queue.properties['RedrivePolicy'])),
    ...ofType('AWS::Lambda::EventSourceMapping').map((each) => refOf(each.properties['DestinationConfig'] ?? null)),
  ]);

  it('each have a dead-letter queue, which keeps its messages for 14 days', () => {
    const [dead, working] = [queues.filter((queue) => deadLetterIds.has(queue.id)), queues.filter((queue) => !deadLetterIds.has(queue.id))];
    expect(working.length).toBeGreaterThan(0);
    for (const queue of working) expect(queue.properties['RedrivePolicy'], queue.id).toMatchObject({ maxReceiveCount: 5 });
    for (const queue of dead) expect(queue.properties['MessageRetentionPeriod'], queue.id).toBe(14 * 86_400);
  });

  it('hide a message for six times the time-out of its function', () => {
    for (const mapping of ofType('AWS::Lambda::EventSourceMapping')) {
      const consumer = resources.find((each) => each.stack === mapping.stack && each.id === refOf(mapping.properties['FunctionName']));
      const name = String(consumer?.properties['FunctionName']);
      const queue = queues.find((each) => JSON.stringify(mapping.properties['EventSourceArn']).includes(each.id));
      if (!queue) continue;
      expect(queue.properties['VisibilityTimeout'], name).toBe(6 * Number(consumer?.properties['Timeout']));
    }
  });

  it('and streams report single failures and send what keeps failing to dead letters', () => {
    for (const mapping of ofType('AWS::Lambda::EventSourceMapping')) {
      expect(mapping.properties['FunctionResponseTypes'], mapping.id).toEqual(['ReportBatchItemFailures']);
      if (mapping.properties['StartingPosition'] === undefined) continue;
      expect(mapping.properties).toMatchObject({ StartingPosition: 'TRIM_HORIZON', BisectBatchOnFunctionError: true });
      expect(refOf(mapping.properties['DestinationConfig'])).toBeDefined();
    }
  });

  it('take mail notifications as SES wrote them', () => {
    const subscriptions = ofType('AWS::SNS::Subscription').filter((each) => each.properties['Protocol'] === 'sqs');
    expect(subscriptions).toHaveLength(2);
    for (const each of subscriptions) expect(each.properties['RawMessageDelivery']).toBe(true);
  });
});

describe('the table', () => {
  const [table] = ofType('AWS::DynamoDB::Table');
  const indexes = (property: string) =>
    ((table?.properties[property] ?? []) as readonly TableIndex[]).map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    }));
  const keySchema = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ];

  it('has exactly the keys and indexes of the table schema', () => {
    const { partitionKey, sortKey, localIndexes, dueIndex } = TABLE_SCHEMA;
    expect(table?.properties['KeySchema']).toEqual(keySchema(partitionKey, sortKey));
    expect(indexes('LocalSecondaryIndexes')).toEqual(
      Object.entries(localIndexes).map(([name, attribute]) => ({
        IndexName: name,
        KeySchema: keySchema(partitionKey, attribute),
        Projection: { ProjectionType: 'ALL' },
      })),
    );
    expect(indexes('GlobalSecondaryIndexes')).toEqual([
      { IndexName: dueIndex.name, KeySchema: keySchema(dueIndex.partitionKey, dueIndex.sortKey), Projection: { ProjectionType: 'ALL' } },
    ]);
    expect(DUE_SHARDS).toBeGreaterThan(0);
  });

  it('streams both images, expires items and can be restored to any second', () => {
    expect(table?.properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: TABLE_SCHEMA.timeToLive, Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });
});

describe('what must outlive a deployment', () => {
  const precious = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'];

  it('is retained in a cloud stage, and the table refuses deletion', () => {
    for (const each of resources.filter(({ type }) => precious.includes(type))) expect(each.deletionPolicy, each.id).toMatch(/^Retain/);
    expect(ofType('AWS::DynamoDB::Table')[0]?.properties['DeletionProtectionEnabled']).toBe(true);
  });

  it('does not hold its name after a first deployment that failed', () => {
    const named = resources.filter(({ properties }) => ['Name', 'BucketName', 'TableName'].some((name) => name in properties));
    expect(named.filter(({ deletionPolicy }) => deletionPolicy === 'Retain').map(({ id }) => id)).toEqual([]);
    for (const each of ofType('AWS::SecretsManager::Secret')) expect(each.deletionPolicy, each.id).toBe('RetainExceptOnCreate');
  });

  it('goes with a local stack', () => {
    const local = allResources(fixtureStacks(localConfig()));
    for (const each of local.filter(({ type }) => precious.includes(type))) expect(each.deletionPolicy, each.id).toBe('Delete');
  });

  it('keeps secrets under names that end in what they are, generated unless the operator brings them', () => {
    const secrets = ofType('AWS::SecretsManager::Secret').map((each) => ({
      name: String(each.properties['Name']),
      isGenerated: each.properties['GenerateSecretString'] !== undefined,
    }));
    expect(secrets).toEqual([
      { name: 'agent-email/prod/signing', isGenerated: true },
      { name: 'agent-email/prod/sealing', isGenerated: true },
      { name: 'agent-email/prod/chain', isGenerated: false },
      { name: 'agent-email/prod/mpp', isGenerated: true },
      { name: 'agent-email/prod/world-id', isGenerated: false },
    ]);
  });

  it('lies in a bucket that is private, encrypted and forgets what it should', () => {
    const [bucket] = ofType('AWS::S3::Bucket');
    expect(Object.values(bucket?.properties['PublicAccessBlockConfiguration'] ?? {})).toEqual([true, true, true, true]);
    expect(bucket?.properties['VersioningConfiguration']).toBeUndefined();
    expect(bucket?.properties['LifecycleConfiguration']).toMatchObject({
      Rules: [
        { Prefix: 'inbound/', ExpirationInDays: 30 },
        { Prefix: 'uploads/', ExpirationInDays: 1 },
        { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
      ],
    });
  });
});

describe('the mail bucket', () => {
  it('lets a page of any origin upload to, and download from, an address that was signed for it', () => {
    const [bucket] = ofType('AWS::S3::Bucket');
    expect(bucket?.properties['CorsConfiguration']).toMatchObject({
      CorsRules: [{ AllowedMethods: ['GET', 'PUT'], AllowedOrigins: ['*'], AllowedHeaders: ['*'] }],
    });
  });
});

describe('receiving', () => {
  it('takes the whole mail domain, scans it, stores it in the journal and tells the topic', () => {
    const [rule] = ofType('AWS::SES::ReceiptRule');
    expect(rule?.properties['Rule']).toMatchObject({
      Enabled: true,
      ScanEnabled: true,
      Recipients: ['agents.example.com'],
      Actions: [{ S3Action: { ObjectKeyPrefix: 'inbound/' } }],
    });
  });

  it('hears of every step of an outbound mail', () => {
    const [destination] = ofType('AWS::SES::ConfigurationSetEventDestination');
    expect(destination?.properties['EventDestination']).toMatchObject({
      MatchingEventTypes: ['send', 'delivery', 'bounce', 'complaint', 'reject', 'deliveryDelay'],
    });
  });

  it('gets no bounces by mail, which would stand in the inbox of the agent that wrote', () => {
    const [identity] = ofType('AWS::SES::EmailIdentity');
    expect(identity?.properties['FeedbackAttributes']).toEqual({ EmailForwardingEnabled: false });
  });
});

describe('stacks', () => {
  it('keep all state in the first one', () => {
    for (const each of resources.filter(({ type }) =>
      ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'].includes(type),
    )) {
      expect(stackOf(each, '-data'), each.id).toBe(true);
    }
  });
});
