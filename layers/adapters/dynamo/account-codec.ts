// Account items ⇄ accounts. Attribute names are short because every request reads this item and every kilobyte costs.
import { invariant } from '#domain/errors.ts';
import type { Account, Activity, Arrivals } from '#domain/identity/account.ts';
import type { AccountCounter, AccountFields } from '#domain/ports/changes.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { keys } from './keys.ts';
import type { Item } from './table.ts';

export const COUNTER_ATTRIBUTES: Readonly<Record<AccountCounter, string>> = {
  inbox: 'nI',
  unread: 'nU',
  sent: 'nS',
  quarantine: 'nQ',
  bonded: 'nB',
  pendingStakes: 'nP',
  everReceived: 'xR',
  everRead: 'xD',
  everReplied: 'xA',
  everSent: 'xS',
  everStaked: 'xK',
};

export const BALANCE_ATTRIBUTES = { CREDIT: 'cr', ATTN: 'at' } as const;

export const EARN_ATTRIBUTES = { day: 'eD', earned: 'eA' } as const;

export const FIELD_ATTRIBUTES: Readonly<Record<keyof AccountFields, string>> = {
  handle: 'hdl',
  basename: 'bn',
  source: 'src',
  tier: 'tier',
  receivePrice: 'rp',
  lastClaimDay: 'cD',
  isHuman: 'hum',
};

/** Credit rows ever written; goes up with each, in its transaction. */
export const CREDIT_ROWS_ATTRIBUTE = 'nC';

/** Mail of one UTC day has an attribute of its own, so that a mail can be counted without reading the others. */
export const arrivalAttribute = (day: number): string => `d${day}`;
const ARRIVAL_ATTRIBUTE = /^d(\d+)$/;

const VERSION = 1;

/** The item of a new account; balances start at zero, since the grants' movements add to them in the same transaction. */
export const accountItem = (account: Account): Item => ({
  ...keys.account(account.wallet),
  type: 'account',
  version: VERSION,
  w: account.wallet,
  hdl: account.handle,
  bn: account.basename,
  src: account.source,
  tier: account.tier,
  cr: account.credits,
  at: account.attn,
  eD: account.earnings.day,
  eA: account.earnings.earned,
  cD: account.lastClaimDay,
  rp: account.receivePrice,
  nI: account.mail.inbox,
  nU: account.mail.unread,
  nS: account.mail.sent,
  nQ: account.mail.quarantine,
  nB: account.mail.bonded,
  nP: account.mail.pendingStakes,
  xR: account.activity.received,
  xD: account.activity.read,
  xA: account.activity.replied,
  xS: account.activity.sent,
  xK: account.activity.staked,
  nC: account.creditRows,
  ...Object.fromEntries(account.arrivals.map(({ day, count }) => [arrivalAttribute(day), count])),
  hum: account.isHuman,
  reg: account.registeredAt,
});

const number = (item: Item, name: string): number => {
  const value = item[name];
  invariant(typeof value === 'number' || typeof value === 'bigint', `account attribute ${name}`);
  return Number(value);
};

const readActivity = (item: Item): Activity => ({
  received: number(item, 'xR'),
  read: number(item, 'xD'),
  replied: number(item, 'xA'),
  sent: number(item, 'xS'),
  staked: BigInt(number(item, 'xK')),
});

const readArrivals = (item: Item): Arrivals[] =>
  Object.entries(item).flatMap(([name, count]) => {
    const day = ARRIVAL_ATTRIBUTE.exec(name)?.[1];
    return day === undefined ? [] : [{ day: Number(day), count: Number(count) }];
  });

/** Reads an account item; a version that this code does not know stops it, rather than guessing at money. */
export const readAccount = (item: Item): Account => {
  invariant(item['type'] === 'account' && item['version'] === VERSION, `account item version ${String(item['version'])}`);
  return {
    wallet: item['w'] as Wallet,
    handle: String(item['hdl']),
    basename: (item['bn'] as string | null) ?? null,
    source: item['src'] as Account['source'],
    tier: item['tier'] as Account['tier'],
    credits: BigInt(number(item, 'cr')),
    attn: BigInt(number(item, 'at')),
    earnings: { day: number(item, 'eD'), earned: BigInt(number(item, 'eA')) },
    lastClaimDay: number(item, 'cD'),
    receivePrice: BigInt(number(item, 'rp')),
    mail: {
      inbox: number(item, 'nI'),
      unread: number(item, 'nU'),
      sent: number(item, 'nS'),
      quarantine: number(item, 'nQ'),
      bonded: number(item, 'nB'),
      pendingStakes: number(item, 'nP'),
    },
    activity: readActivity(item),
    arrivals: readArrivals(item),
    creditRows: number(item, CREDIT_ROWS_ATTRIBUTE),
    isHuman: item['hum'] === true,
    registeredAt: number(item, 'reg'),
  };
};
