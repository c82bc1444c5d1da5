// Mail items ⇄ mail rows. A list of twenty reads twenty of these, so a row stays under a kilobyte.
import { invariant } from '#domain/errors.ts';
import type { Stake } from '#domain/ledger/stakes.ts';
import { type Attachment, isFloating, type MailBond, type MailRow, type Verdict, type Verdicts } from '#domain/mail/mail.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { bondedKey, dueShard, folderPrefix, keys, orderKey, unreadKey } from './keys.ts';
import { DUE_SHARDS } from './table-schema.ts';
import type { Item } from './table.ts';

const VERSION = 1;
const VERDICT_LETTERS: Readonly<Record<Verdict, string>> = { PASS: 'P', FAIL: 'F', GRAY: 'G', PROCESSING_FAILED: 'E', DISABLED: 'D' };
const VERDICT_ORDER = ['spf', 'dkim', 'dmarc', 'spam', 'virus'] as const;

const packVerdicts = (verdicts: Verdicts): string => VERDICT_ORDER.map((name) => VERDICT_LETTERS[verdicts[name]]).join('');

const unpackVerdicts = (packed: string): Verdicts => {
  const letters = Object.entries(VERDICT_LETTERS) as [Verdict, string][];
  const at = (index: number): Verdict => letters.find(([, letter]) => letter === packed[index])?.[0] ?? 'PROCESSING_FAILED';
  return { spf: at(0), dkim: at(1), dmarc: at(2), spam: at(3), virus: at(4) };
};

/** Spreads a mail over the due index by the last character of its id, which is random. */
const shardOf = (id: string): number => id.charCodeAt(id.length - 1) % DUE_SHARDS;

/** Attributes that put a held stake on the order and due indexes; removed together when the stake ends. */
const stakeAttributes = (row: MailRow): Item =>
  row.stake?.status === 'pending' ? { dueS: dueShard('stake', shardOf(row.id)), dueA: row.stake.expiresAt } : {};

const stakeItem = (stake: Stake): Item => ({ sA: stake.amount, sS: stake.status, sE: stake.expiresAt, sW: stake.staker });

const bondItem = (bond: MailBond): Item => ({ bA: bond.amountMicros, bS: bond.status, bD: bond.deadline });

const optional = (row: MailRow): Item => ({
  ...(row.fromName !== undefined && { fn: row.fromName }),
  ...(row.thread.starter !== undefined && { thW: row.thread.starter }),
  ...(row.peer !== undefined && { pw: row.peer }),
  ...(row.verdicts && { au: packVerdicts(row.verdicts) }),
  ...(row.isFromEnvelope && { fe: 1 }),
  ...(row.delivery !== undefined && { dl: row.delivery }),
  ...(row.wireId !== undefined && { wi: row.wireId }),
  ...(row.parseError !== undefined && { pe: row.parseError }),
  ...(row.isAnswered && { an: 1 }),
  ...(row.expiresAt !== undefined && { ttl: row.expiresAt }),
});

/** The item of a row. */
export const mailItem = (row: MailRow): Item => ({
  ...keys.mail(row.owner, row.id),
  type: 'mail',
  version: VERSION,
  fo: folderPrefix(row.folder),
  ord: orderKey(row.folder, isFloating(row), row.id),
  ...(!row.isRead && { unr: unreadKey(row.folder, row.id) }),
  ...(row.bond?.status === 'active' && { bnd: bondedKey(row.bond.deadline, row.id) }),
  fr: row.fromAddress,
  to: row.toAddress,
  su: row.subject,
  sn: row.snippet,
  sz: row.sizeBytes,
  rd: row.isRead ? 1 : 0,
  ca: row.createdAt,
  ha: row.attachmentCount,
  th: row.thread.id,
  ...(row.stake && stakeItem(row.stake)),
  ...stakeAttributes(row),
  ...(row.bond && bondItem(row.bond)),
  ...optional(row),
});

const FOLDERS = { i: 'inbox', s: 'sent', q: 'quarantine' } as const;

const readStake = (item: Item): Stake | undefined =>
  item['sA'] === undefined
    ? undefined
    : {
        amount: BigInt(item['sA'] as number),
        status: item['sS'] as Stake['status'],
        expiresAt: Number(item['sE']),
        staker: item['sW'] as Wallet,
      };

const readBond = (item: Item): MailBond | undefined =>
  item['bA'] === undefined
    ? undefined
    : { amountMicros: BigInt(item['bA'] as number), status: item['bS'] as MailBond['status'], deadline: Number(item['bD']) };

const ownerOf = (item: Item): Wallet => String(item['PK']).slice(2) as Wallet;

const readOptional = (item: Item): Partial<MailRow> => {
  const stake = readStake(item);
  const bond = readBond(item);
  return {
    ...(item['fn'] !== undefined && { fromName: String(item['fn']) }),
    ...(item['pw'] !== undefined && { peer: item['pw'] as Wallet }),
    ...(stake && { stake }),
    ...(bond && { bond }),
    ...(item['au'] !== undefined && { verdicts: unpackVerdicts(String(item['au'])) }),
    ...(item['fe'] !== undefined && { isFromEnvelope: true }),
    ...(item['dl'] !== undefined && { delivery: item['dl'] as NonNullable<MailRow['delivery']> }),
    ...(item['wi'] !== undefined && { wireId: String(item['wi']) }),
    ...(item['pe'] !== undefined && { parseError: String(item['pe']) }),
    ...(item['an'] !== undefined && { isAnswered: true as const }),
    ...(item['ttl'] !== undefined && { expiresAt: Number(item['ttl']) }),
  };
};

/** Reads a mail item; refuses a version that this code does not know. */
export const readMail = (item: Item): MailRow => {
  invariant(item['type'] === 'mail' && item['version'] === VERSION, `mail item version ${String(item['version'])}`);
  return {
    owner: ownerOf(item),
    id: String(item['SK']).slice(2),
    folder: FOLDERS[item['fo'] as keyof typeof FOLDERS],
    fromAddress: String(item['fr']),
    toAddress: String(item['to']),
    subject: String(item['su']),
    snippet: String(item['sn']),
    sizeBytes: Number(item['sz']),
    isRead: item['rd'] === 1,
    createdAt: Number(item['ca']),
    attachmentCount: Number(item['ha']),
    thread: { id: String(item['th']), ...(item['thW'] !== undefined && { starter: item['thW'] as Wallet }) },
    ...readOptional(item),
  };
};

/** The item that lists a mail's attachments; it exists only when there are any, so that plain mail costs nothing for them. */
export const attachmentsItem = (row: MailRow, attachments: readonly Attachment[]): Item => ({
  ...keys.attachments(row.owner, row.id),
  type: 'attachments',
  version: VERSION,
  list: attachments,
  ...(row.expiresAt !== undefined && { ttl: row.expiresAt }),
});

export const readAttachments = (item: Item): Attachment[] => [...(item['list'] as Attachment[])];
