// What tests of money on a running stack do again and again: agents, balances, mails with stakes, bonds, and a filled ledger.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { Item } from '#adapters/dynamo/table.ts';
import type { Agent } from './agents.ts';
import { newAgent } from './agents.ts';
import type { ApiReply } from './api-client.ts';
import type { TestStack } from './test-stack.ts';

const BATCH = 25;

export interface MeterRow {
  readonly function: string;
  readonly route: string;
  readonly invocations: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Drives one running stack. */
export class LedgerStack {
  readonly running: TestStack;
  constructor(running: TestStack) {
    this.running = running;
  }

  get api() {
    return this.running.api;
  }

  async agents(count: number): Promise<Agent[]> {
    const agents: Agent[] = [];
    for (let index = 0; index < count; index += 1) {
      const agent = await newAgent(this.api);
      // Sessions end after a day; these tests move the clock by days.
      const { body } = await this.api.post('/api/keys/create', { name: 'test' }, agent.token);
      agents.push({ ...agent, token: String(body['api_key']) });
    }
    return agents;
  }

  async setPrice(agent: Agent, price: number): Promise<void> {
    expect((await this.api.put('/api/attn/settings', { receive_price: price }, agent.token)).status).toBe(200);
  }

  send(from: Agent, to: Agent, extra: Readonly<Record<string, unknown>> = {}): Promise<ApiReply> {
    return this.api.post('/api/send', { to: to.email, subject: 'Hello', body: 'A mail', ...extra }, from.token);
  }

  /** Sends one mail that must get through; gives its id. */
  async mail(from: Agent, to: Agent, extra: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const sent = await this.send(from, to, extra);
    expect(sent.status).toBe(200);
    return String(sent.body['email_id']);
  }

  reject(agent: Agent, id: string): Promise<ApiReply> {
    return this.api.post(`/api/inbox/${id}/reject`, {}, agent.token);
  }

  async balance(agent: Agent): Promise<number> {
    return Number((await this.attn(agent))['balance']);
  }

  async attn(agent: Agent): Promise<Record<string, unknown>> {
    return (await this.api.get('/api/attn/balance', agent.token)).body;
  }

  async row(agent: Agent, id: string): Promise<Record<string, unknown> | undefined> {
    const { body } = await this.api.get('/api/inbox?limit=100', agent.token);
    return (body['emails'] as Record<string, unknown>[]).find((row) => row['id'] === id);
  }

  async importBonds(
    bonds: readonly unknown[],
  ): Promise<{ imported: number; existing: number; refused: { index: number; error: string }[] }> {
    const reply = await this.running.control.call<{ payload: never }>('POST', '/functions/invoke', {
      name: 'on-bonds-imported',
      event: { bonds },
    });
    return reply.payload;
  }

  /** Every item of the table, read past the API. */
  async items(): Promise<Item[]> {
    const { client, TableName } = await this.#table();
    const items: Item[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: start }));
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start);
    return items;
  }

  /** Puts items into the table past the API, as years of use would leave them. */
  async put(items: readonly Item[]): Promise<void> {
    const { client, TableName } = await this.#table();
    for (let start = 0; start < items.length; start += BATCH) {
      const requests = items.slice(start, start + BATCH).map((item) => ({ PutRequest: { Item: { ...item } } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    }
  }

  /** Takes such items out again. */
  async remove(items: readonly Item[]): Promise<void> {
    const { client, TableName } = await this.#table();
    for (let start = 0; start < items.length; start += BATCH) {
      const requests = items.slice(start, start + BATCH).map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    }
  }

  /** Read and write units that one call of a route costs. */
  async cost(route: string, call: () => Promise<unknown>): Promise<{ readUnits: number; writeUnits: number }> {
    await this.running.control.call('DELETE', '/meter');
    await call();
    const { rows } = await this.running.control.call<{ rows: MeterRow[] }>('GET', '/meter');
    const row = rows.find((each) => each.route === route);
    if (!row) throw new Error(`no ${route} in the meter: ${rows.map((each) => each.route).join(', ')}`);
    return { readUnits: row.readUnits / row.invocations, writeUnits: row.writeUnits / row.invocations };
  }

  async #table() {
    const { dynoxide } = JSON.parse(readFileSync(join(this.running.stack.data_dir, 'ports.json'), 'utf8')) as { dynoxide: number };
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const plain = new DynamoDBClient({ endpoint: `http://127.0.0.1:${dynoxide}`, region: 'us-east-1', credentials });
    const TableName = (await plain.send(new ListTablesCommand({}))).TableNames?.[0] ?? '';
    return { client: DynamoDBDocumentClient.from(plain), TableName };
  }
}
