// The one table: a document client and the few calls the stores are made of.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { patience } from '../sdk-patience.ts';
import type { Key } from './keys.ts';

/** Three tries fit into the time of a request. */
const CALL_MS = 5000;

export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

export type Item = Readonly<Record<string, unknown>>;

/** Opens the table; one client for the life of a function. */
export const openTable = (name: string): Table => ({
  name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient(patience(CALL_MS)), { marshallOptions: { removeUndefinedValues: true } }),
});

/** Reads one item; `strong` costs twice and sees every write that was answered before. */
export const getItem = async (table: Table, key: Key, options: { strong: boolean }): Promise<Item | undefined> => {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: options.strong }));
  return Item;
};

export interface Page {
  readonly items: readonly Item[];
  readonly lastKey: Item | undefined;
}

/** Runs one query; the caller pages on with `ExclusiveStartKey`. */
export const query = async (table: Table, input: Omit<QueryCommandInput, 'TableName'>): Promise<Page> => {
  const page = await table.client.send(new QueryCommand({ TableName: table.name, ...input }));
  return { items: page.Items ?? [], lastKey: page.LastEvaluatedKey };
};

/** Runs a query to its end. Only for partitions that a limit keeps small. */
export const queryAll = async (table: Table, input: Omit<QueryCommandInput, 'TableName'>): Promise<Item[]> => {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await query(table, { ...input, ...(start && { ExclusiveStartKey: start }) });
    items.push(...page.items);
    start = page.lastKey;
  } while (start);
  return items;
};
