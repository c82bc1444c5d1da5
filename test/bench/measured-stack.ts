// A running stack to measure: agents, a mailbox of any size, and what one call cost by the stack's own meter.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#adapters/dynamo/keys.ts';
import { mailItem } from '#adapters/dynamo/mail-codec.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import { timeId } from '#domain/values/id.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { startStack } from '#infra/local/stack.ts';
import type { Stack } from '#infra/local/stack-settings.ts';
import { ApiClient } from '#test/support/api-client.ts';
import { Control } from '#test/support/test-stack.ts';

export interface Cost {
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Calls to other services by `service.operation`. */
  readonly calls: Readonly<Record<string, number>>;
}

interface MeterRow {
  readonly function: string;
  readonly route: string;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly calls: readonly { readonly service: string; readonly operation: string; readonly calls: number }[];
}

const BATCH = 25;

const rowAt = (owner: Wallet, index: number, startMs: number): MailRow => ({
  owner,
  id: timeId(startMs + index, Buffer.from(index.toString().padStart(16, '0'))),
  folder: 'inbox',
  fromAddress: 'somebody.with.a.name@agents.localhost.test',
  toAddress: `${owner}@agents.localhost.test`,
  subject: 'A subject of the length that subjects have in an ordinary mailbox',
  snippet: 'The first words of the text, as lists show them. '.repeat(3).slice(0, 140),
  sizeBytes: 4000,
  isRead: true,
  createdAt: Math.floor((startMs + index) / 1000),
  attachmentCount: 0,
  thread: { id: 'thread' },
});

export class MeasuredStack {
  readonly stack: Stack;
  readonly api: ApiClient;
  readonly control: Control;
  readonly #folder: string;
  readonly #table: DynamoDBDocumentClient;

  constructor(stack: Stack, folder: string, dynamodbPort: number) {
    this.stack = stack;
    this.api = new ApiClient(stack.base_url);
    this.control = new Control(stack.control_url);
    this.#folder = folder;
    const endpoint = `http://127.0.0.1:${dynamodbPort}`;
    const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
    this.#table = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }));
  }

  static async start(): Promise<MeasuredStack> {
    const folder = await mkdtemp(join(tmpdir(), 'agent-email-bench-'));
    const stack = await startStack({ port: 0, dataDir: folder });
    const ports = JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as { dynoxide: number };
    return new MeasuredStack(stack, folder, ports.dynoxide);
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Puts `count` read mails of a month ago into a mailbox, past the API, as a grown mailbox would hold them. */
  async fill(owner: Wallet, count: number): Promise<void> {
    const { TableNames } = await this.#table.send(new ListTablesCommand({}));
    const TableName = TableNames?.[0] ?? '';
    const startMs = Date.now() - 30 * 86_400_000;
    for (let start = 0; start < count; start += BATCH) {
      const indexes = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => start + i);
      const requests = indexes.map((index) => ({ PutRequest: { Item: { ...mailItem(rowAt(owner, index, startMs)) } } }));
      await this.#table.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    }
    const Key = keys.account(owner);
    const update = { UpdateExpression: 'ADD nI :n', ExpressionAttributeValues: { ':n': count } };
    await this.#table.send(new UpdateCommand({ TableName, Key, ...update }));
  }

  /** What one request cost, by the meter; the first call of a function pays for its secrets, so call it once before. */
  async costOf(route: string, request: () => Promise<{ status: number }>): Promise<Cost> {
    await this.control.call('DELETE', '/meter');
    const { status } = await request();
    if (status >= 300) throw new Error(`${route} answered ${status}`);
    const { rows } = await this.control.call<{ rows: readonly MeterRow[] }>('GET', '/meter');
    const row = rows.find((candidate) => candidate.route === route);
    if (!row) throw new Error(`${route} is not on the meter`);
    const calls = Object.fromEntries(row.calls.map(({ service, operation, calls: count }) => [`${service}.${operation}`, count]));
    return { readUnits: row.readUnits, writeUnits: row.writeUnits, calls };
  }
}
