// The whole table at one moment, sorted into what the invariants speak of.
import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { readAccount } from '#adapters/dynamo/account-codec.ts';
import { readBond } from '#adapters/dynamo/bond-codec.ts';
import { readLedgerRow } from '#adapters/dynamo/ledger-store.ts';
import { readMail } from '#adapters/dynamo/mail-codec.ts';
import type { Key } from '#adapters/dynamo/keys.ts';
import type { Item } from '#adapters/dynamo/table.ts';
import type { Bond } from '#domain/attention/bonds.ts';
import type { Account } from '#domain/identity/account.ts';
import type { LedgerRow } from '#domain/ledger/movements.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import type { World } from './world.ts';

export interface Snapshot {
  readonly accounts: readonly Account[];
  readonly ledger: readonly LedgerRow[];
  /** Rows of registered agents. */
  readonly mails: readonly MailRow[];
  /** Rows that wait for a wallet. */
  readonly waiting: readonly MailRow[];
  /** Ids of messages that nobody knows the end of. */
  readonly outbox: ReadonlySet<string>;
  /** Owner and role by name. */
  readonly handles: ReadonlyMap<string, { readonly wallet: string; readonly role: string }>;
  /** Names by wallet, as the accounts list their aliases. */
  readonly aliases: readonly { readonly wallet: string; readonly name: string }[];
  /** Hashes that are redeemed. */
  readonly redeemed: ReadonlySet<string>;
  /** The two items of each bond, as recipient and sender have them. */
  readonly bonds: readonly Bond[];
  readonly statistics: ReadonlyMap<string, number>;
  /** Items of the mail partitions with their index attributes. */
  readonly items: readonly Item[];
}

const scan = async (world: World): Promise<Item[]> => {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await world.table.client.send(
      new ScanCommand({ TableName: world.table.name, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
};

const LEDGER_KEY = /^T#(ATTN|CREDIT)#/;

const partition = (item: Item): string => String(item['PK']);
const afterLetter = (text: string): string => text.slice(text.indexOf('#') + 1);

const ledgerRow = (item: Item): LedgerRow => {
  const asset = LEDGER_KEY.exec(String(item['SK']))?.[1] === 'ATTN' ? 'ATTN' : 'CREDIT';
  return readLedgerRow(afterLetter(partition(item)) as Wallet, asset, item);
};

const sumStatistics = (items: readonly Item[]): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(afterLetter(partition(item)), (sums.get(afterLetter(partition(item))) ?? 0) + Number(item['n']));
  return sums;
};

/** Reads everything. */
export const takeSnapshot = async (world: World): Promise<Snapshot> => {
  const items = await scan(world);
  const ofType = (type: string): Item[] => items.filter((item) => item['type'] === type);
  const accounts = ofType('account').map(readAccount);
  const registered = new Set(accounts.map(({ wallet }) => wallet));
  const mails = ofType('mail').map(readMail);
  return {
    accounts,
    mails: mails.filter(({ owner }) => registered.has(owner)),
    waiting: mails.filter(({ owner }) => !registered.has(owner)),
    ledger: ofType('ledger').map(ledgerRow),
    outbox: new Set(ofType('outbox').map((item) => String(item['SK']).slice(2))),
    handles: new Map(
      ofType('handle').map((item) => [afterLetter(partition(item)), { wallet: String(item['w']), role: String(item['role']) }]),
    ),
    aliases: ofType('alias').map((item) => ({ wallet: afterLetter(partition(item)), name: String(item['SK']).slice(2) })),
    redeemed: new Set(
      ofType('payment')
        .filter((item) => item['st'] === 'redeemed')
        .map((item) => afterLetter(partition(item))),
    ),
    bonds: ofType('bond').map(readBond),
    statistics: sumStatistics(ofType('statistic')),
    items: ofType('mail'),
  };
};

/** Keys of the items whose time to live is over. */
export const expiredKeys = async (world: World): Promise<readonly Key[]> =>
  (await scan(world))
    .filter((item) => typeof item['ttl'] === 'number' && item['ttl'] <= world.now)
    .map((item) => ({ PK: partition(item), SK: String(item['SK']) }));

export const removeItem = async (world: World, Key: Key): Promise<void> => {
  await world.table.client.send(new DeleteCommand({ TableName: world.table.name, Key }));
};
