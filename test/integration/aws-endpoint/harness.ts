// One endpoint over a real table emulator and real queues, with functions whose roles a test sets itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { type AwsEndpoint, startAwsEndpoint } from '#infra/local/aws/endpoint.ts';
import { Faults } from '#infra/local/aws/faults.ts';
import { Meter } from '#infra/local/aws/meter.ts';
import { LOCAL_SECRET_ACCESS_KEY } from '#infra/local/aws/presigned.ts';
import type { Assembly, Caller, LocalFunction, PolicyStatement } from '#infra/local/model.ts';

export const ACCOUNT = '000000000000';
export const TABLE = 'mail-table';
export const TABLE_ARN = `arn:aws:dynamodb:us-east-1:${ACCOUNT}:table/${TABLE}`;
export const BUCKET = 'mail-bucket';
export const BUCKET_ARN = `arn:aws:s3:::${BUCKET}`;
export const QUEUE = 'ses-events';
export const QUEUE_ARN = `arn:aws:sqs:us-east-1:${ACCOUNT}:${QUEUE}`;
export const TOPIC_ARN = `arn:aws:sns:us-east-1:${ACCOUNT}:ses-topic`;
export const SECRET_ARN = `arn:aws:secretsmanager:us-east-1:${ACCOUNT}:secret:signing-AbCdEf`;

export const allow = (
  actions: string | readonly string[],
  resources: string | readonly string[] = '*',
  conditions: PolicyStatement['conditions'] = {},
): PolicyStatement => ({
  effect: 'Allow',
  actions: [actions].flat(),
  resources: [resources].flat(),
  conditions,
});

export const deny = (actions: string, resources = '*'): PolicyStatement => ({ ...allow(actions, resources), effect: 'Deny' });

const localFunction = (name: string, policies: readonly PolicyStatement[]): LocalFunction => ({
  logicalId: name,
  name,
  arn: `arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}`,
  codeDir: '',
  handler: 'index.handler',
  environment: {},
  memoryMb: 256,
  timeoutSeconds: 10,
  layerDirs: [],
  policies,
});

const index = (name: string, hash: string, range: string): object => ({
  IndexName: name,
  KeySchema: [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
});

export const TABLE_INPUT = {
  TableName: TABLE,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK', 'ord', 'dueS', 'dueA'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  LocalSecondaryIndexes: [index('order', 'PK', 'ord')],
  GlobalSecondaryIndexes: [index('due', 'dueS', 'dueA')],
};

function assemblyOf(functions: readonly LocalFunction[]): Assembly {
  return {
    functions,
    tables: [{ logicalId: 'Table', name: TABLE, arn: TABLE_ARN, createInput: TABLE_INPUT }],
    queues: [],
    topics: [{ name: 'ses-topic', arn: TOPIC_ARN, subscriptions: [] }],
    buckets: [{ name: BUCKET, arn: BUCKET_ARN, properties: {} }],
    routes: [],
    eventSources: [],
    schedules: [],
    receiptRules: [{ name: 'all', recipients: [], scanEnabled: true, s3: { bucket: BUCKET, prefix: 'inbound/' } }],
    configurationSets: [
      { name: 'outbound', destinations: [{ topicArn: TOPIC_ARN, eventTypes: ['send', 'delivery', 'bounce', 'complaint'] }] },
    ],
    secrets: [
      {
        name: 'signing',
        arn: SECRET_ARN,
        generate: { SecretStringTemplate: '{"kid":"1"}', GenerateStringKey: 'secret', PasswordLength: 40 },
      },
    ],
    identities: ['agents.example.test'],
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function startDynoxide(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const port = await freePort();
  const binary = join(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json'), '..', 'dynoxide');
  const child = spawn(binary, ['--host', '127.0.0.1', '--port', String(port)], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.resume();
  child.stdout.resume();
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** What every client of a test is made from; each function signs with its environment's id. */
export interface ClientSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts: number;
}

export interface Harness {
  readonly endpoint: AwsEndpoint;
  readonly fauxqs: FauxqsServer;
  readonly meter: Meter;
  readonly faults: Faults;
  readonly dataDir: string;
  readonly outboxDir: string;
  readonly assembly: () => Assembly;
  readonly crashed: string[];
  /** Gives a function its role and one running environment; answers what its clients are made from. */
  role(name: string, ...policies: readonly PolicyStatement[]): ClientSettings;
  /** Ends a function's environment, as after a restart; what it signed stays signed. */
  retire(name: string): void;
  advance(seconds: number): void;
  nowMs(): number;
  close(): Promise<void>;
}

/** Starts everything; `close` leaves no process and no folder behind. */
export async function startHarness(): Promise<Harness> {
  const root = await mkdtemp(join(tmpdir(), 'aws-endpoint-'));
  const dynoxide = await startDynoxide();
  const fauxqs = await startFauxqs({ port: 0, logger: false });
  fauxqs.setup({
    queues: [{ name: QUEUE }],
    topics: [{ name: 'ses-topic' }],
    buckets: [BUCKET],
    subscriptions: [{ topic: 'ses-topic', queue: QUEUE }],
  });
  const functions = new Map<string, LocalFunction>();
  const environments = new Map<string, Caller>();
  const crashed: string[] = [];
  const [dataDir, outboxDir] = [join(root, 'data'), join(root, 'outbox')];
  const [meter, faults] = [new Meter(), new Faults()];
  let offsetMs = 0;
  const clock = { nowMs: () => Date.now() + offsetMs };
  const assembly = (): Assembly => assemblyOf([...functions.values()]);
  const callers = { callerOf: (id: string) => environments.get(id), crash: (id: string) => void crashed.push(id) };
  const fauxqsUrl = `http://127.0.0.1:${fauxqs.port}`;
  const endpoint = await startAwsEndpoint({
    assembly,
    callers,
    clock,
    dynamodbUrl: dynoxide.url,
    fauxqsUrl,
    dataDir,
    outboxDir,
    meter,
    faults,
  });
  await createTable(dynoxide.url);
  return {
    endpoint,
    fauxqs,
    meter,
    faults,
    dataDir,
    outboxDir,
    assembly,
    crashed,
    role(name, ...policies) {
      const fn = localFunction(name, policies);
      functions.set(name, fn);
      environments.set(`${name}.1`, { environmentId: `${name}.1`, function: fn, route: `GET /${name}` });
      return {
        endpoint: endpoint.url,
        region: 'us-east-1',
        credentials: { accessKeyId: `${name}.1`, secretAccessKey: LOCAL_SECRET_ACCESS_KEY },
        maxAttempts: 1,
      };
    },
    retire: (name) => void environments.delete(`${name}.1`),
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
    nowMs: () => clock.nowMs(),
    async close() {
      await endpoint.close();
      await Promise.all([fauxqs.stop(), dynoxide.stop()]);
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The emulator needs a moment to listen; refused connections are retried by the client. */
async function createTable(url: string): Promise<void> {
  const client = new DynamoDBClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'setup', secretAccessKey: 'setup' },
    maxAttempts: 20,
  });
  await client.send(new CreateTableCommand(TABLE_INPUT as ConstructorParameters<typeof CreateTableCommand>[0]));
  client.destroy();
}
