// A real table in memory: one dynoxide process for all runs, and a fresh table for each.
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TABLE_SCHEMA } from '#adapters/dynamo/table-schema.ts';
import { callJson } from '#infra/local/aws-json.ts';

/** What the functions call it. */
export const TABLE_NAME = 'simulation';

let generation = 0;

/** The name of the present run's table: the server keeps the stream of a table that was deleted, under the table's name. */
export const presentTableName = (): string => `${TABLE_NAME}-${generation}`;

export interface TableServer {
  readonly url: string;
  /** Gives the runs an empty table. */
  renew(): Promise<void>;
  stop(): void;
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const program = (): string => {
  const given = process.env['DYNOXIDE_BIN'];
  if (given !== undefined && given !== '') return given;
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  return join(
    dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
    process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide',
  );
};

const key = (name: string, type: 'HASH' | 'RANGE') => ({ AttributeName: name, KeyType: type });

const createInput = () => {
  const { partitionKey, sortKey, localIndexes, dueIndex } = TABLE_SCHEMA;
  const texts = [partitionKey, sortKey, ...Object.values(localIndexes), dueIndex.partitionKey];
  const Projection = { ProjectionType: 'ALL' };
  return {
    TableName: presentTableName(),
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      ...texts.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      { AttributeName: dueIndex.sortKey, AttributeType: 'N' },
    ],
    KeySchema: [key(partitionKey, 'HASH'), key(sortKey, 'RANGE')],
    LocalSecondaryIndexes: Object.entries(localIndexes).map(([IndexName, attribute]) => ({
      IndexName,
      KeySchema: [key(partitionKey, 'HASH'), key(attribute, 'RANGE')],
      Projection,
    })),
    GlobalSecondaryIndexes: [
      { IndexName: dueIndex.name, KeySchema: [key(dueIndex.partitionKey, 'HASH'), key(dueIndex.sortKey, 'RANGE')], Projection },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  };
};

const START_TRIES = 200;

const whenUp = async (url: string, child: ChildProcess): Promise<void> => {
  for (let attempt = 0; attempt < START_TRIES && child.exitCode === null; attempt += 1) {
    try {
      await callJson(url, 'dynamodb', 'ListTables', {});
      return;
    } catch {
      await sleep(25);
    }
  }
  throw new Error('dynoxide did not start');
};

/** Starts the table server on a free port of the loopback. */
export const startTableServer = async (): Promise<TableServer> => {
  const port = await freePort();
  const child = spawn(program(), ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  const url = `http://127.0.0.1:${port}`;
  await whenUp(url, child);
  const renew = async (): Promise<void> => {
    if (generation > 0) await callJson(url, 'dynamodb', 'DeleteTable', { TableName: presentTableName() });
    generation += 1;
    await callJson(url, 'dynamodb', 'CreateTable', createInput());
  };
  return { url, renew, stop };
};
