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
  readonly isHuman: boolean;
  readonly registeredAt: number;
}

export const emailOf = (handle: string, mailDomain: string): string => `${handle}@${mailDomain}`;

export const basenameOf = (label: string): string => `${label}.base.eth`;
