// Makes an account with its sign-up grants, its handle and the mail that waited for it, in one transaction.
import { fail, type Failure, ok, type Outcome } from '../errors.ts';
import { signupGrants, SIGNUP_ATTN, SIGNUP_CREDITS } from '../ledger/grants.ts';
import { COLD_EMAIL_STAKE } from '../ledger/stakes.ts';
import type { MailRow } from '../mail/mail.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Mailboxes } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import { type Account, NO_ACTIVITY, NO_MAIL } from './account.ts';
import { arrivalsOf } from '../attention/demand.ts';
import type { ChosenHandle } from './choose-handle.ts';

export interface CreateAccountPorts {
  readonly mailboxes: Mailboxes;
  readonly committer: Committer;
  readonly ids: Ids;
}

/** Mail may come in while an account is made; each round looks at the pending mailbox afresh. */
const ROUNDS_MAX = 6;
/** What time-to-live has not deleted yet is deleted along, as far as one transaction goes. */
const EXPIRED_MAX = 15;
/** Waiting mail that is kept by the transaction of the account itself; with attachments each is two of its actions. */
const KEPT_MAX = 25;
/** Waiting mail that one transaction before it keeps. */
const KEPT_BEFORE = 45;

/** An account as it is made, with what its grants give it; nothing is stored. */
export const newAccount = (wallet: Wallet, chosen: ChosenHandle, waiting: readonly MailRow[], now: number): Account => ({
  wallet,
  ...chosen,
  tier: 'free',
  credits: SIGNUP_CREDITS,
  attn: SIGNUP_ATTN,
  earnings: { day: 0, earned: 0n },
  lastClaimDay: -1,
  receivePrice: COLD_EMAIL_STAKE,
  mail: {
    ...NO_MAIL,
    inbox: waiting.filter((row) => row.folder === 'inbox').length,
    quarantine: waiting.filter((row) => row.folder === 'quarantine').length,
    unread: waiting.filter((row) => row.folder === 'inbox' && !row.isRead).length,
  },
  activity: { ...NO_ACTIVITY, received: waiting.filter((row) => row.folder === 'inbox').length },
  arrivals: arrivalsOf(waiting, now),
  creditRows: 1,
  isHuman: false,
  registeredAt: now,
});

export interface NewAccount {
  readonly account: Account;
  readonly pendingEmails: number;
}

export interface CreateAccountRequest {
  readonly wallet: Wallet;
  readonly chosen: ChosenHandle;
  readonly now: number;
  /** What goes into the same transaction: the nonce to consume, a refresh token, a stored reply. */
  readonly along: (created: NewAccount) => Promise<readonly Change[]>;
}

/** The answer to a wallet that has an account already; sign-in then goes on with that account. */
export const WALLET_REGISTERED: Failure = fail('wallet_already_registered');

interface Pending {
  readonly version: number;
  readonly waiting: readonly MailRow[];
  readonly expired: readonly MailRow[];
}

const readPending = async (ports: CreateAccountPorts, wallet: Wallet, now: number): Promise<Pending> => {
  const { version, rows } = await ports.mailboxes.pending(wallet);
  const isWaiting = (row: MailRow): boolean => row.expiresAt === undefined || row.expiresAt > now;
  return { version, waiting: rows.filter(isWaiting), expired: rows.filter((row) => !isWaiting(row)).slice(0, EXPIRED_MAX) };
};

const keepChange = ({ owner, id, attachmentCount }: MailRow): Change => ({
  kind: 'mail.keep',
  owner,
  id,
  hasAttachments: attachmentCount > 0,
});

const isExpiring = (row: MailRow): boolean => row.expiresAt !== undefined;

/**
 * Keeps what one transaction cannot: the limit of waiting mail lets all through while it cannot be counted, and a mailbox
 * that was filled then would keep its wallet from ever registering. Mail that is kept early waits on without an end.
 *
 * @returns how many were kept; the pending mailbox has to be read again then.
 */
const keepEarly = async ({ committer }: CreateAccountPorts, { waiting }: Pending): Promise<number> => {
  const early = waiting.filter(isExpiring).slice(KEPT_MAX);
  // What is refused has expired meanwhile, or was kept by another request; the next reading shows which.
  for (let at = 0; at < early.length; at += KEPT_BEFORE) await committer.commit(early.slice(at, at + KEPT_BEFORE).map(keepChange));
  return early.length;
};

const changesFor = (ids: Ids, request: CreateAccountRequest, account: Account, pending: Pending): Change[] => {
  const { wallet, chosen, now } = request;
  return [
    { kind: 'account.create', account, refusal: WALLET_REGISTERED },
    ...signupGrants(ids, wallet, now).map((movement): Change => ({ kind: 'movement', movement })),
    ...(chosen.source === 'address' ? [] : [{ kind: 'handle.claim', handle: chosen.handle, wallet, role: 'handle', at: now } as const]),
    ...(chosen.source === 'address' ? [] : [{ kind: 'directory.put', account } as const]),
    { kind: 'pending.adopt', wallet, version: pending.version },
    ...pending.waiting.filter(isExpiring).map(keepChange),
    // Time-to-live deletes late; left in place, they would stand in the new mailbox, counted by nobody.
    ...pending.expired.map((row): Change => ({ kind: 'mail.expire', row })),
  ];
};

/**
 * Creates the account of a wallet.
 *
 * @returns `wallet_already_registered`, `handle_taken`, or the refusal of a change that went along.
 */
export const createAccount = async (ports: CreateAccountPorts, request: CreateAccountRequest): Promise<Outcome<NewAccount>> => {
  let outcome: Outcome<void> = fail('try_again');
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const pending = await readPending(ports, request.wallet, request.now);
    if ((await keepEarly(ports, pending)) > 0) continue;
    const account = newAccount(request.wallet, request.chosen, pending.waiting, request.now);
    const created = { account, pendingEmails: account.mail.inbox };
    const along = await request.along(created);
    outcome = await ports.committer.commit([...along, ...changesFor(ports.ids, request, account, pending)]);
    if (outcome.ok) return ok(created);
    if (outcome.code !== 'try_again') return outcome;
  }
  return outcome;
};
