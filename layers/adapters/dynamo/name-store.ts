// Aliases, the directory of named agents, settings, and the names that the event tail saw on chain.
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Aliases, Directory, KnownNames, NameEvents, NameEventStore, NameTransfer, SettingsStore } from '#domain/ports/names.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { accountPartition, DIRECTORY_PARTITION, keys, prefixes, walletNamesPartition } from './keys.ts';
import { getItem, query, queryAll, type Table } from './table.ts';

const VERSION = 1;
/** Anyone can send a wallet names; a thousand of them must not make its list dear. */
const LABELS_MAX = 100;
/** Writes under way at once while the tail catches up. */
const PARALLEL = 10;
const NAMES_CHAIN_ID = 8453;
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

export const openAliases = (table: Table): Aliases => ({
  list: async (wallet) => {
    const items = await queryAll(table, {
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': accountPartition(wallet), ':prefix': prefixes.aliases },
      ConsistentRead: true,
    });
    return items.map((item) => ({ handle: String(item['SK']).slice(prefixes.aliases.length), createdAt: Number(item['at']) }));
  },
});

export const openDirectory = (table: Table): Directory => ({
  newest: async (limit) => {
    const page = await query(table, {
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': DIRECTORY_PARTITION },
      ScanIndexForward: false,
      Limit: limit,
    });
    return page.items.map((item) => ({
      handle: String(item['hdl']),
      wallet: item['w'] as Wallet,
      basename: (item['bn'] as string | null) ?? null,
      registeredAt: Number(item['reg']),
    }));
  },
});

export const openKnownNames = (table: Table): KnownNames => ({
  labelsOf: async (wallet) => {
    const page = await query(table, {
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': walletNamesPartition(wallet) },
      Limit: LABELS_MAX,
    });
    const read = page.items.map((item) => getItem(table, keys.nameOnChain(String(item['SK'])), { strong: false }));
    return (await Promise.all(read)).flatMap((item) => (item ? [String(item['label'])] : []));
  },
});

const isRefused = (error: unknown): boolean => error instanceof Error && error.name === 'ConditionalCheckFailedException';

/** Events come again after a crash, so each write gives way to a later one that is there already. */
const unlessLater = async (write: Promise<unknown>): Promise<void> => {
  await write.catch((error: unknown) => {
    if (!isRefused(error)) throw error;
  });
};

const recordTransfer = async (table: Table, { token, from, to, position }: NameTransfer): Promise<void> => {
  const TableName = table.name;
  const earlier = { ConditionExpression: 'attribute_not_exists(PK) OR pos < :pos', ExpressionAttributeValues: { ':pos': position } };
  const Item = { ...keys.nameOfWallet(to, token), type: 'name-of-wallet', version: VERSION, pos: position };
  if (to !== ZERO_ADDRESS) await unlessLater(table.client.send(new PutCommand({ TableName, Item, ...earlier })));
  if (from !== ZERO_ADDRESS && from !== to) {
    await unlessLater(table.client.send(new DeleteCommand({ TableName, Key: keys.nameOfWallet(from, token), ...earlier })));
  }
};

const recordLabel = async (table: Table, { token, label }: NameEvents['registered'][number]): Promise<void> => {
  const Item = { ...keys.nameOnChain(token), type: 'name', version: VERSION, label };
  // A label is the text of its hash and never changes.
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
};

const inGroups = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  for (let start = 0; start < all.length; start += PARALLEL) await Promise.all(all.slice(start, start + PARALLEL).map(work));
};

const advance = async (table: Table, from: number | undefined, block: number): Promise<boolean> => {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...keys.nameCursor(NAMES_CHAIN_ID), type: 'name-cursor', version: VERSION, block },
        ConditionExpression: from === undefined ? 'attribute_not_exists(PK)' : '#block = :from',
        ...(from !== undefined && { ExpressionAttributeNames: { '#block': 'block' }, ExpressionAttributeValues: { ':from': from } }),
      }),
    );
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
};

export const openNameEventStore = (table: Table): NameEventStore => ({
  nextBlock: async () => {
    const item = await getItem(table, keys.nameCursor(NAMES_CHAIN_ID), { strong: true });
    return item && Number(item['block']);
  },
  record: async ({ registered, transfers }) => {
    await inGroups(registered, (name) => recordLabel(table, name));
    await inGroups(transfers, (transfer) => recordTransfer(table, transfer));
  },
  advance: (from, block) => advance(table, from, block),
});

/** The one setting there is stands where the digest looks for it. */
export const openSettings = (table: Table): SettingsStore => ({
  read: async (wallet) => {
    const item = await getItem(table, keys.digest(wallet), { strong: true });
    return { notificationEmail: (item?.['em'] as string | undefined) ?? null };
  },
});
