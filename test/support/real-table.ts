// A real table for tests of stores and use cases, and for the simulation: one dynoxide process, and an empty table
// whenever asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TABLE_SCHEMA } from '#adapters/dynamo/table-schema.ts';
import { callJson } from '#infra/local/aws-json.ts';
import { startDynoxide } from '#infra/local/dynoxide.ts';
import { freePort } from './free-port.ts';

export interface RealTable {
  readonly url: string;
  readonly name: string;
  /** Empties the table. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

const key = (name: string, type: 'HASH' | 'RANGE') => ({ AttributeName: name, KeyType: type });

const createInput = (TableName: string, hasStream: boolean) => {
  const { partitionKey, sortKey, localIndexes, dueIndex } = TABLE_SCHEMA;
  const texts = [partitionKey, sortKey, ...Object.values(localIndexes), dueIndex.partitionKey];
  const Projection = { ProjectionType: 'ALL' };
  const localIndex = ([IndexName, attribute]: [string, string]) => ({
    IndexName,
    KeySchema: [key(partitionKey, 'HASH'), key(attribute, 'RANGE')],
    Projection,
  });
  const dueKeys = [key(dueIndex.partitionKey, 'HASH'), key(dueIndex.sortKey, 'RANGE')];
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      ...texts.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      { AttributeName: dueIndex.sortKey, AttributeType: 'N' },
    ],
    KeySchema: [key(partitionKey, 'HASH'), key(sortKey, 'RANGE')],
    LocalSecondaryIndexes: Object.entries(localIndexes).map(localIndex),
    GlobalSecondaryIndexes: [{ IndexName: dueIndex.name, KeySchema: dueKeys, Projection }],
    ...(hasStream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } }),
  };
};

/** Starts the emulator on a free port of the loopback; it ends with `stop`, and with this process. */
export const startRealTable = async ({ hasStream = false } = {}): Promise<RealTable> => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-email-table-'));
  const server = await startDynoxide({ port: await freePort(), dataDir: folder, logDir: folder });
  let generation = 0;
  // The emulator keeps the stream of a deleted table under that table's name.
  const nameOf = (): string => (hasStream ? `table-${generation}` : 'table');
  return {
    url: server.url,
    get name() {
      return nameOf();
    },
    renew: async () => {
      if (generation > 0) await callJson(server.url, 'dynamodb', 'DeleteTable', { TableName: nameOf() });
      generation += 1;
      await callJson(server.url, 'dynamodb', 'CreateTable', createInput(nameOf(), hasStream));
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
