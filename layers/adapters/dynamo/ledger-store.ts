// Reads of ledger rows: one query over an account's own partition, whatever its length.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Account } from '#domain/identity/account.ts';
import { fail, FailureError } from '#domain/errors.ts';
import type { Asset, LedgerRow, MovementReference } from '#domain/ledger/movements.ts';
import type { LedgerPage, LedgerStatements } from '#domain/ports/ledger.ts';
import { isTimeId } from '#domain/values/id.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { readAccount } from './account-codec.ts';
import { accountPartition, type Key, keys, prefixes } from './keys.ts';
import { getItem, type Item, query, type Table } from './table.ts';

const ATTEMPTS_MAX = 8;
const WAIT_MS_MAX = 40;

const readReference = (item: Item): MovementReference => ({
  ...(item['em'] !== undefined && { emailId: String(item['em']) }),
  ...(item['tx'] !== undefined && { txHash: String(item['tx']) }),
  ...(item['ch'] !== undefined && { chain: String(item['ch']) }),
  ...(item['no'] !== undefined && { note: String(item['no']) }),
});

/** Reads a ledger item. */
export const readLedgerRow = (wallet: Wallet, asset: Asset, item: Item): LedgerRow => ({
  wallet,
  asset,
  id: String(item['SK']).slice(prefixes.ledger(asset).length),
  type: item['mt'] as LedgerRow['type'],
  amount: BigInt(item['am'] as number),
  counterAccount: item['ca'] as LedgerRow['counterAccount'],
  at: Number(item['at']),
  reference: readReference(item),
});

interface PageRequest {
  readonly wallet: Wallet;
  readonly asset: Asset;
  readonly limit: number;
  readonly cursor?: string;
}

/** Anything but an id is no place among the rows; ids of others are places in the caller's own all the same. */
const startOf = ({ wallet, asset }: PageRequest, cursor: string): Key => {
  if (!isTimeId(cursor)) throw new FailureError(fail('invalid_request', { message: 'cursor is not one of ours' }));
  return keys.ledgerRow(wallet, asset, cursor);
};

const page = async (table: Table, request: PageRequest): Promise<LedgerPage> => {
  const { wallet, asset, limit, cursor } = request;
  const found = await query(table, {
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
    ExpressionAttributeValues: { ':pk': accountPartition(wallet), ':prefix': prefixes.ledger(asset) },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: limit,
    ...(cursor !== undefined && { ExclusiveStartKey: startOf(request, cursor) }),
  });
  const rows = found.items.map((item) => readLedgerRow(wallet, asset, item));
  const last = rows.at(-1);
  return { rows, ...(found.lastKey && last && { nextCursor: last.id }) };
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * WAIT_MS_MAX));

const accountAtRest = async (table: Table, wallet: Wallet): Promise<Account | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      const Get = { TableName: table.name, Key: keys.account(wallet) };
      const { Responses } = await table.client.send(new TransactGetCommand({ TransactItems: [{ Get }] }));
      const item = Responses?.[0]?.Item;
      return item && readAccount(item);
    } catch (error) {
      // Cancelled: a write is under way on the account.
      if (!(error instanceof TransactionCanceledException)) throw error;
      await pause();
    }
  }
  // An account that is never left alone is read as it is.
  const item = await getItem(table, keys.account(wallet), { strong: true });
  return item && readAccount(item);
};

export const openLedgerStatements = (table: Table): LedgerStatements => ({
  row: async (wallet, asset, id) => {
    const item = await getItem(table, keys.ledgerRow(wallet, asset, id), { strong: true });
    return item && readLedgerRow(wallet, asset, item);
  },
  page: (request) => page(table, request),
  accountAtRest: (wallet) => accountAtRest(table, wallet),
});
