// An account: everything hangs on its wallet; the handle is a pointer that may change.
import type { Earnings } from '../ledger/stakes.ts';
import type { Wallet } from '../values/wallet.ts';

export type Tier = 'free' | 'pro';
export type HandleSource = 'basename' | 'address';

/** Numbers of the mailbox, changed only in the transaction of their cause, so that they always equal a recount. */
export interface MailCounters {
  readonly inbox: number;
  readonly unread: number;
  readonly sent: number;
  readonly quarantine: number;
  readonly bonded: number;
  readonly pendingStakes: number;
}

export const NO_MAIL: MailCounters = { inbox: 0, unread: 0, sent: 0, quarantine: 0, bonded: 0, pendingStakes: 0 };

/** What an account ever did, deleted or not; scores are made of it. Changed only in the transaction of its cause. */
export interface Activity {
  readonly received: number;
  readonly read: number;
  /** Distinct received messages that were answered. */
  readonly replied: number;
  readonly sent: number;
  readonly staked: bigint;
}

export const NO_ACTIVITY: Activity = { received: 0, read: 0, replied: 0, sent: 0, staked: 0n };

/** Mail received on one UTC day. */
export interface Arrivals {
  readonly day: number;
  readonly count: number;
}

export interface Account {
  readonly wallet: Wallet;
  readonly handle: string;
  readonly basename: string | null;
  readonly source: HandleSource;
  readonly tier: Tier;
  readonly credits: bigint;
  readonly attn: bigint;
  readonly earnings: Earnings;
  /** UTC day of the last daily claim; -1 before the first. */
  readonly lastClaimDay: number;
  readonly receivePrice: bigint;
  readonly mail: MailCounters;
  readonly activity: Activity;
  /** The last days with mail, in no order; days that are long over may linger until the next mail. */
  readonly arrivals: readonly Arrivals[];
  /** Credit rows ever written, so that a statement can tell whether it saw them all. */
  readonly creditRows: number;
  readonly isHuman: boolean;
  readonly registeredAt: number;
}

export const emailOf = (handle: string, mailDomain: string): string => `${handle}@${mailDomain}`;

export const basenameOf = (label: string): string => `${label}.base.eth`;
