// A real table in memory for tests of stores and use cases: one dynoxide process, and an empty table whenever asked.
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TABLE_SCHEMA } from '#adapters/dynamo/table-schema.ts';
import { callJson } from '#infra/local/aws-json.ts';
import { freePort } from './free-port.ts';

const START_TRIES = 200;
const TRY_MS = 25;

export interface RealTable {
  readonly url: string;
  readonly name: string;
  /** Empties the table. */
  renew(): Promise<void>;
  stop(): void;
}

const program = (): string => {
  const given = process.env['DYNOXIDE_BIN'];
  if (given !== undefined && given !== '') return given;
  const folder = dirname(createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`));
  return join(folder, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
};

const key = (name: string, type: 'HASH' | 'RANGE') => ({ AttributeName: name, KeyType: type });

const createInput = (TableName: string) => {
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
  };
};

const whenUp = async (url: string, child: ChildProcess): Promise<void> => {
  for (let attempt = 0; attempt < START_TRIES && child.exitCode === null; attempt += 1) {
    try {
      await callJson(url, 'dynamodb', 'ListTables', {});
      return;
    } catch {
      await sleep(TRY_MS);
    }
  }
  throw new Error('dynoxide did not start');
};

/** Starts the emulator on a free port of the loopback; `stop` ends it, and so does the end of this process. */
export const startRealTable = async (): Promise<RealTable> => {
  const port = await freePort();
  const child = spawn(program(), ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  const url = `http://127.0.0.1:${port}`;
  await whenUp(url, child);
  const name = 'ledger';
  let isThere = false;
  const renew = async (): Promise<void> => {
    if (isThere) await callJson(url, 'dynamodb', 'DeleteTable', { TableName: name });
    await callJson(url, 'dynamodb', 'CreateTable', createInput(name));
    isThere = true;
  };
  return { url, name, renew, stop };
};
