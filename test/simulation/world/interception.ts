// Puts the simulation between the functions and everything that is not theirs: the AWS clients, the chains, the clock,
// randomness and short pauses. To be installed before a function is loaded. Code outside of operations notices nothing.
import crypto from 'node:crypto';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import { answerCommand, type Cloud, type Command } from './cloud.ts';
import { currentOperation, park, type Service } from './operation.ts';
import { presentTableName } from './table-server.ts';

const STAND_INS: Readonly<Record<string, string>> = {
  '/layers/adapters/evm/payment-chains.ts': './payment-chains-stand-in.ts',
  '/layers/adapters/evm/names.ts': './names-stand-in.ts',
};

const redirectModules = (): void => {
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const resolved = nextResolve(specifier, context);
      const standIn = Object.entries(STAND_INS).find(([path]) => resolved.url.endsWith(path))?.[1];
      return standIn === undefined ? resolved : { ...resolved, url: new URL(standIn, import.meta.url).href };
    },
  });
};

type Send = (this: unknown, command: Command, ...rest: unknown[]) => Promise<unknown>;
interface Sender {
  send: Send;
}

const actionCountOf = ({ input }: Command): number => (input as { TransactItems?: readonly unknown[] }).TransactItems?.length ?? 0;

interface TableInput {
  TableName?: string;
  ClientRequestToken?: string;
  readonly TransactItems?: readonly Readonly<Record<string, TableInput>>[];
}

/** Every run has a table of its own; the functions know one name. */
const nameTable = (input: TableInput): void => {
  if (input.TableName !== undefined) input.TableName = presentTableName();
  for (const action of input.TransactItems ?? []) for (const part of Object.values(action)) nameTable(part);
};

const tokens = new WeakMap<object, Map<string, string>>();
let tokenCount = 0;

/**
 * The server remembers a transaction's token over all runs, and seeded randomness draws the same ones again: each operation
 * gets tokens of its own, the same for what it repeats itself.
 */
const nameToken = (input: TableInput): void => {
  const operation = currentOperation();
  if (input.ClientRequestToken === undefined || !operation) return;
  const known = tokens.get(operation) ?? new Map<string, string>();
  tokens.set(operation, known);
  if (!known.has(input.ClientRequestToken)) {
    tokenCount += 1;
    known.set(input.ClientRequestToken, `token-${tokenCount}`);
  }
  input.ClientRequestToken = known.get(input.ClientRequestToken) ?? input.ClientRequestToken;
};

/** The table is the real one: calls go on to it once the scheduler lets them. */
const interceptTable = (): void => {
  const sender = DynamoDBDocumentClient.prototype as unknown as Sender;
  const send = sender.send;
  sender.send = function intercepted(command, ...rest) {
    const name = command.constructor.name;
    nameTable(command.input);
    nameToken(command.input);
    return park('table', name, () => send.call(this, command, ...rest), name === 'TransactWriteCommand' ? actionCountOf(command) : 0);
  };
};

const CLIENTS = [
  [S3Client, 'bucket'],
  [SESClient, 'post'],
  [SQSClient, 'queue'],
] as const satisfies readonly (readonly [unknown, Service])[];

const interceptCloud = (cloud: () => Cloud): void => {
  for (const [client, service] of CLIENTS) {
    (client.prototype as unknown as Sender).send = (command) =>
      park(service, command.constructor.name, () => answerCommand(cloud(), command));
  }
  (SecretsManagerClient.prototype as unknown as Sender).send = (command) => answerCommand(cloud(), command);
};

const interceptTime = (): void => {
  const now = Date.now.bind(Date);
  Date.now = () => currentOperation()?.surroundings.nowMs() ?? now();
};

const interceptRandomness = (): void => {
  const { randomBytes, randomInt, randomUUID } = crypto;
  const uuid = (hex: string) =>
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}` as const;
  Object.assign(crypto, {
    randomBytes: (length: number) => currentOperation()?.random.bytes(length) ?? randomBytes(length),
    randomInt: (most: number) => currentOperation()?.random.below(most) ?? randomInt(most),
    randomUUID: () => {
      const operation = currentOperation();
      return operation ? uuid(operation.random.bytes(16).toString('hex')) : randomUUID();
    },
  });
  syncBuiltinESMExports();
};

/** Longer timers are deadlines, and never over; shorter ones are pauses, and over when the scheduler says. */
const PAUSE_MS_MAX = 1000;

const interceptPauses = (): void => {
  const original = globalThis.setTimeout;
  const intercepted = (callback: (...values: unknown[]) => void, delayMs = 0, ...values: unknown[]): NodeJS.Timeout => {
    if (!currentOperation() || delayMs > PAUSE_MS_MAX) return original(callback, delayMs, ...values);
    park('timer', 'pause', async () => undefined).then(
      () => callback(...values),
      () => undefined,
    );
    return original(() => undefined, 0);
  };
  globalThis.setTimeout = Object.assign(intercepted, original);
};

/** Functions log what they refuse; thousands of runs would drown in it. */
const interceptLogs = (): void => {
  const write = process.stdout.write.bind(process.stdout);
  const filtered = (...parts: Parameters<typeof write>): boolean => (currentOperation() ? true : write(...parts));
  process.stdout.write = filtered as typeof process.stdout.write;
};

/** Installs everything; `cloud` gives the cloud of the run that goes on. */
export const intercept = (cloud: () => Cloud): void => {
  redirectModules();
  interceptTable();
  interceptCloud(cloud);
  interceptTime();
  interceptRandomness();
  interceptPauses();
  interceptLogs();
};
