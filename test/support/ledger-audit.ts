// Looks at a whole table and says what is wrong with its money and its counters; an empty list is a clean book.
import { readAccount } from '#adapters/dynamo/account-codec.ts';
import { readLedgerRow } from '#adapters/dynamo/ledger-store.ts';
import { readMail } from '#adapters/dynamo/mail-codec.ts';
import type { Item } from '#adapters/dynamo/table.ts';
import type { Account } from '#domain/identity/account.ts';
import type { Asset, LedgerRow } from '#domain/ledger/movements.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import { dayOf } from '#domain/values/time.ts';
import type { Wallet } from '#domain/values/wallet.ts';

interface Book {
  readonly accounts: readonly Account[];
  readonly rows: readonly LedgerRow[];
  readonly mails: readonly MailRow[];
}

const EARNING = new Set(['daily_claim', 'reject_income', 'expiry_income']);
const DAILY_CAP = 200n;

const sum = (rows: readonly LedgerRow[]): bigint => rows.reduce((total, { amount }) => total + amount, 0n);

const assetOf = (item: Item): Asset => String(item['SK']).split('#')[1] as Asset;
const walletOf = (item: Item): Wallet => String(item['PK']).slice(2) as Wallet;

export const readBook = (items: readonly Item[]): Book => ({
  accounts: items.filter(({ type }) => type === 'account').map(readAccount),
  rows: items.filter(({ type }) => type === 'ledger').map((item) => readLedgerRow(walletOf(item), assetOf(item), item)),
  mails: items.filter(({ type }) => type === 'mail').map(readMail),
});

const balances = ({ accounts, rows }: Book): string[] =>
  accounts.flatMap(({ wallet, attn, credits, creditRows }) => {
    const own = rows.filter((row) => row.wallet === wallet);
    const [ownAttn, ownCredits] = [own.filter(({ asset }) => asset === 'ATTN'), own.filter(({ asset }) => asset === 'CREDIT')];
    return [
      ...(attn === sum(ownAttn) ? [] : [`${wallet} has ${attn} ATTN, its rows say ${sum(ownAttn)}`]),
      ...(credits === sum(ownCredits) ? [] : [`${wallet} has ${credits} credits, its rows say ${sum(ownCredits)}`]),
      ...(creditRows === ownCredits.length ? [] : [`${wallet} counts ${creditRows} credit rows of ${ownCredits.length}`]),
      ...(attn >= 0n && credits >= 0n ? [] : [`${wallet} is below zero`]),
    ];
  });

/** System accounts have no item: what they hold follows from the rows that name them. */
const systemBalance = (rows: readonly LedgerRow[], asset: Asset, account: string): bigint =>
  -sum(rows.filter((row) => row.asset === asset && row.counterAccount === account));

/** Double entry: what users hold, and what the system accounts hold, is zero together; every row names a known other side. */
const conservation = ({ accounts, rows }: Book): string[] =>
  (['ATTN', 'CREDIT'] as const).flatMap((asset) => {
    const users = accounts.reduce((total, account) => total + (asset === 'ATTN' ? account.attn : account.credits), 0n);
    const system = ['mint', 'fee', 'escrow'].reduce((total, name) => total + systemBalance(rows, asset, name), 0n);
    return users + system === 0n ? [] : [`${asset} sums to ${users + system}`];
  });

const isOpen = ({ folder, stake }: MailRow): boolean => folder === 'inbox' && stake?.status === 'pending';

const escrow = ({ rows, mails }: Book): string[] => {
  const held = systemBalance(rows, 'ATTN', 'escrow');
  const open = mails.filter(isOpen).reduce((total, { stake }) => total + (stake?.amount ?? 0n), 0n);
  return held === open ? [] : [`escrow holds ${held}, open stakes are ${open}`];
};

/** Each stake ends at most once and to the point; while its mail holds it, not at all. */
const stakes = ({ rows, mails }: Book): string[] =>
  rows
    .filter(({ type }) => type === 'stake')
    .flatMap((stake) => {
      const emailId = stake.reference.emailId;
      const ends = rows.filter((row) => row.type !== 'stake' && row.asset === 'ATTN' && row.reference.emailId === emailId);
      const isHeld = mails.some((mail) => mail.id === emailId && isOpen(mail));
      const expected = isHeld ? 0n : -stake.amount;
      return sum(ends) === expected ? [] : [`the stake on ${emailId} ended with ${sum(ends)} instead of ${expected}`];
    });

const earnings = ({ accounts, rows }: Book): string[] =>
  accounts.flatMap(({ wallet, earnings: { day, earned } }) => {
    const byDay = new Map<number, LedgerRow[]>();
    for (const row of rows.filter((each) => each.wallet === wallet && EARNING.has(each.type))) {
      byDay.set(dayOf(row.at), [...(byDay.get(dayOf(row.at)) ?? []), row]);
    }
    const today = sum(byDay.get(day) ?? []);
    return [
      ...[...byDay].filter(([, own]) => sum(own) > DAILY_CAP).map(([at]) => `${wallet} earned over the cap on day ${at}`),
      ...[...byDay]
        .filter(([, own]) => own.filter(({ type }) => type === 'daily_claim').length > 1)
        .map(([at]) => `${wallet} claimed twice on day ${at}`),
      ...(today === earned ? [] : [`${wallet} notes ${earned} earned on day ${day}, its rows say ${today}`]),
    ];
  });

const counters = ({ accounts, mails }: Book): string[] =>
  accounts.flatMap(({ wallet, mail }) => {
    const own = mails.filter(({ owner }) => owner === wallet);
    const inbox = own.filter(({ folder }) => folder === 'inbox');
    const recount = {
      inbox: inbox.length,
      unread: inbox.filter(({ isRead }) => !isRead).length,
      sent: own.filter(({ folder }) => folder === 'sent').length,
      quarantine: own.filter(({ folder }) => folder === 'quarantine').length,
      bonded: inbox.filter(({ bond }) => bond?.status === 'active').length,
      pendingStakes: inbox.filter(isOpen).length,
    };
    return Object.entries(recount).flatMap(([name, count]) => {
      const noted = mail[name as keyof typeof mail];
      return noted === count ? [] : [`${wallet} notes ${noted} ${name}, a recount gives ${count}`];
    });
  });

/** Everything that is wrong, in words. */
export const auditBook = (book: Book): string[] =>
  [balances, conservation, escrow, stakes, earnings, counters].flatMap((check) => check(book));
