// Reads of mailboxes: one strongly consistent query over the order index gives "staked first, newest next".
import type { MailPage, Mailboxes } from '#domain/ports/stores.ts';
import type { Folder, MailRow } from '#domain/mail/mail.ts';
import { fail, FailureError } from '#domain/errors.ts';
import { isEmailId } from '#domain/values/id.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { bondedKey, folderPrefix, keys, mailPartition, prefixes, unreadKey } from './keys.ts';
import { readAttachments, readMail } from './mail-codec.ts';
import { TABLE_SCHEMA } from './table-schema.ts';
import { getItem, type Item, type Page, query, queryAll, type Table } from './table.ts';

const { order, unread, bonded } = TABLE_SCHEMA.localIndexes;

const orderQuery = (table: Table, owner: Wallet, prefix: string, limit: number, start: Item | undefined, forward = false): Promise<Page> =>
  query(table, {
    IndexName: 'order',
    KeyConditionExpression: 'PK = :pk AND begins_with(#ord, :prefix)',
    ExpressionAttributeNames: { '#ord': order },
    ExpressionAttributeValues: { ':pk': mailPartition(owner), ':prefix': prefix },
    ScanIndexForward: forward,
    ConsistentRead: true,
    Limit: limit,
    ...(start && { ExclusiveStartKey: start }),
  });

/**
 * A cursor is the sort key of the last row. The partition always comes from the caller, so a forged one reads only its own
 * mail; one that is no sort key of the folder is refused here, since the table would answer it with a fault.
 */
const startOf = ({ owner, folder }: ListInput, cursor: string): Item => {
  const isOurs = cursor.startsWith(folderPrefix(folder)) && /^[01]$/.test(cursor.charAt(1)) && isEmailId(cursor.slice(2));
  if (!isOurs) throw new FailureError(fail('invalid_request', { message: 'cursor is not one of ours' }));
  return { ...keys.mail(owner, cursor.slice(2)), [order]: cursor };
};

const cursorOf = (lastKey: Item | undefined): string | undefined => lastKey && String(lastKey[order]);

interface ListInput {
  readonly owner: Wallet;
  readonly folder: Folder;
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
}

/** Steps over `offset` rows; each step reads what it skips, which is why cursors exist. */
const skip = async (table: Table, input: ListInput): Promise<Item | undefined | 'end'> => {
  let left = input.offset;
  let start: Item | undefined;
  while (left > 0) {
    const page = await orderQuery(table, input.owner, folderPrefix(input.folder), left, start);
    left -= page.items.length;
    if (!page.lastKey) return 'end';
    start = page.lastKey;
  }
  return start;
};

const list = async (table: Table, input: ListInput): Promise<MailPage> => {
  const start = input.cursor === undefined ? await skip(table, input) : startOf(input, input.cursor);
  if (start === 'end') return { rows: [] };
  const page = await orderQuery(table, input.owner, folderPrefix(input.folder), input.limit, start);
  const nextCursor = cursorOf(page.lastKey);
  return { rows: page.items.map(readMail), ...(nextCursor !== undefined && { nextCursor }) };
};

const listUnread = async (table: Table, input: { owner: Wallet; folder: Folder; limit: number; upTo: string }): Promise<MailRow[]> => {
  const page = await query(table, {
    IndexName: 'unread',
    KeyConditionExpression: 'PK = :pk AND #unr BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#unr': unread },
    ExpressionAttributeValues: {
      ':pk': mailPartition(input.owner),
      ':from': unreadKey(input.folder, ''),
      ':to': unreadKey(input.folder, input.upTo),
    },
    ConsistentRead: true,
    Limit: input.limit,
  });
  return page.items.map(readMail);
};

/** The index holds active bonds alone, and new ones are not made any more: reading all of them stays cheap. */
const listBonded = async (table: Table, input: { owner: Wallet; overAt?: number; limit?: number }): Promise<MailRow[]> => {
  const { owner, overAt, limit } = input;
  const request = {
    IndexName: 'bonded',
    KeyConditionExpression: overAt === undefined ? 'PK = :pk' : 'PK = :pk AND #bnd < :end',
    ...(overAt !== undefined && { ExpressionAttributeNames: { '#bnd': bonded } }),
    ExpressionAttributeValues: { ':pk': mailPartition(owner), ...(overAt !== undefined && { ':end': bondedKey(overAt + 1, '') }) },
    ConsistentRead: true,
  };
  const items = limit === undefined ? await queryAll(table, request) : (await query(table, { ...request, Limit: limit })).items;
  return items.map(readMail);
};

const pending = async (table: Table, wallet: Wallet): Promise<{ version: number; rows: MailRow[] }> => {
  const counted = await getItem(table, keys.pendingMailbox(wallet), { strong: true });
  if (!counted) return { version: 0, rows: [] };
  const items = await queryAll(table, {
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
    ExpressionAttributeValues: { ':pk': mailPartition(wallet), ':prefix': prefixes.mails },
    ConsistentRead: true,
  });
  return { version: Number(counted['version']), rows: items.map(readMail) };
};

export const openMailboxes = (table: Table): Mailboxes => ({
  byId: async (owner, id) => {
    const item = await getItem(table, keys.mail(owner, id), { strong: true });
    return item && readMail(item);
  },
  list: (input) => list(table, input),
  unread: (input) => listUnread(table, input),
  bonded: (input) => listBonded(table, input),
  staked: async (owner, limit) => (await orderQuery(table, owner, `${folderPrefix('inbox')}1`, limit, undefined, true)).items.map(readMail),
  // A list of attachments never changes after the mail is there, so the cheap read is exact.
  attachments: async (owner, id) => {
    const item = await getItem(table, keys.attachments(owner, id), { strong: false });
    return item ? readAttachments(item) : [];
  },
  pending: (wallet) => pending(table, wallet),
});
