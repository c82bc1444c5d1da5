// Mail between agents of this service: free, delivered in the transaction that answers, with a stake on the reader's attention.
import { arrivalAt } from '../attention/demand.ts';
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { STAKE_LIFE_SECONDS, stakeMovement, type StakeReason, type StakeTerms, stakeTerms } from '../ledger/stakes.ts';
import { LIMITS } from '../limits.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { SnippetOf } from '../ports/mail-content.ts';
import type { Accounts, Limiter, LimitState, MailObjects, Whitelists } from '../ports/stores.ts';
import { type Ids, sentCopyId } from '../values/id.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';
import type { MailRow } from './mail.ts';
import { type Outgoing, putCopy, rowBase } from './outgoing.ts';
import { counted } from './send-limits.ts';
import { mailboxNameOf, type Recipient, type RecipientPorts, resolveRecipient } from './resolve-recipient.ts';

/** Mail for a wallet without an account waits this long (decisions, "Mail"). */
export const PRESTORE_LIFE_SECONDS = 30 * SECONDS_PER_DAY;
export const PRESTORE_BYTES_MAX = 1_048_576;
/** Recipients register and balances change while a mail is sent; each round decides afresh. */
const ROUNDS_MAX = 5;

export interface InternalSendPorts extends RecipientPorts {
  readonly accounts: Accounts;
  readonly whitelists: Whitelists;
  readonly limiter: Limiter;
  readonly objects: MailObjects;
  readonly committer: Committer;
  readonly snippetOf: SnippetOf;
  readonly ids: Ids;
}

export interface StakeReport {
  readonly amount: bigint;
  readonly reason: StakeReason;
  readonly balanceAfter: bigint;
}

export interface InternalSend {
  readonly sender: Account;
  readonly outgoing: Outgoing;
  readonly now: number;
  readonly showLimits: (state: LimitState) => void;
  readonly commitReply: (report: StakeReport) => Promise<Change[]>;
}

type Known = Exclude<Recipient, { kind: 'unknown' }>;

const walletOf = (recipient: Known) => (recipient.kind === 'account' ? recipient.account.wallet : recipient.wallet);

/** Begun by the reader with this sender: whoever was handed the thread by a third is as cold as anyone. */
const isInThreadOf = (reader: Wallet, parent: MailRow | undefined): boolean => parent?.thread.starter === reader && parent.peer === reader;

const termsFor = async (ports: InternalSendPorts, send: InternalSend, sender: Account, recipient: Known): Promise<StakeTerms> => {
  if (recipient.kind === 'pending') return { amount: 0n, reason: 'prestored' };
  const { account } = recipient;
  const toSelf = account.wallet === sender.wallet;
  return stakeTerms({
    toSelf,
    whitelisted: !toSelf && (await ports.whitelists.holds(account.wallet, sender.wallet)),
    inRecipientsThread: isInThreadOf(account.wallet, send.outgoing.reply.parent),
    receivePrice: account.receivePrice,
    balance: sender.attn,
  });
};

const receivedRow = (ports: InternalSendPorts, { sender, outgoing, now }: InternalSend, recipient: Known, terms: StakeTerms): MailRow => ({
  owner: walletOf(recipient),
  id: outgoing.emailId,
  folder: 'inbox',
  isRead: false,
  ...rowBase(outgoing, sender.wallet, ports.snippetOf, now),
  peer: sender.wallet,
  ...(terms.amount > 0n && {
    stake: { amount: terms.amount, status: 'pending', expiresAt: now + STAKE_LIFE_SECONDS, staker: sender.wallet },
  }),
  ...(recipient.kind === 'pending' && { expiresAt: now + PRESTORE_LIFE_SECONDS }),
});

const sentId = (send: InternalSend, recipient: Known): string =>
  walletOf(recipient) === send.sender.wallet ? sentCopyId(send.outgoing.emailId) : send.outgoing.emailId;

const sentRow = (ports: InternalSendPorts, send: InternalSend, recipient: Known): MailRow => ({
  owner: send.sender.wallet,
  id: sentId(send, recipient),
  folder: 'sent',
  isRead: true,
  ...rowBase(send.outgoing, send.sender.wallet, ports.snippetOf, send.now),
  peer: walletOf(recipient),
});

/** What the arrival does to the other side: counters of an account, or one more mail of a pending mailbox. */
const arrivalChanges = (recipient: Known, isStaked: boolean, now: number): Change[] => {
  if (recipient.kind === 'pending') return [{ kind: 'pending.add', wallet: recipient.wallet, refusal: fail('try_again') }];
  const { account, via } = recipient;
  const add = { inbox: 1, unread: 1, everReceived: 1, ...(isStaked && { pendingStakes: 1 }) };
  const arrival: Change = { kind: 'account.change', wallet: account.wallet, add, arrival: arrivalAt(account, now) };
  if (via === undefined) return [arrival];
  return [{ kind: 'handle.held', handle: via, wallet: account.wallet, refusal: notFound('Recipient') }, arrival];
};

/** How much of a sender's mail is answered is counted for each pair; nobody answers himself. */
const pairChange = (recipient: Wallet, sender: Wallet): Change[] =>
  recipient === sender ? [] : [{ kind: 'pair.count', recipient, sender, counted: 'sent' }];

const changesFor = (ports: InternalSendPorts, send: InternalSend, recipient: Known, terms: StakeTerms): Change[] => {
  const { sender, outgoing, now } = send;
  const stake: Change[] =
    terms.amount > 0n
      ? [
          {
            kind: 'movement',
            movement: stakeMovement(ports.ids, sender.wallet, terms.amount, outgoing.emailId, now),
            refusal: fail('try_again'),
          },
        ]
      : [];
  return [
    ...arrivalChanges(recipient, terms.amount > 0n, now),
    { kind: 'mail.put', row: receivedRow(ports, send, recipient, terms), attachments: outgoing.attachments },
    { kind: 'mail.put', row: sentRow(ports, send, recipient), attachments: outgoing.attachments },
    { kind: 'account.change', wallet: sender.wallet, add: { sent: 1, everSent: 1, everStaked: Number(terms.amount) } },
    ...pairChange(walletOf(recipient), sender.wallet),
    ...stake,
  ];
};

/** Size first, then the count: a refused mail counts nowhere. */
const admitPending = async (ports: InternalSendPorts, send: InternalSend, wallet: Wallet): Promise<Outcome<void>> => {
  if (send.outgoing.bytes.byteLength > PRESTORE_BYTES_MAX) return fail('prestore_too_large');
  const limit = await ports.limiter.take(LIMITS.prestore, wallet, send.now);
  send.showLimits(limit);
  return limit.isAllowed ? ok(undefined) : fail('rate_limited');
};

const attempt = async (ports: InternalSendPorts, send: InternalSend, recipient: Known, sender: Account): Promise<Outcome<StakeReport>> => {
  const terms = await termsFor(ports, send, sender, recipient);
  const report = { ...terms, balanceAfter: sender.attn - terms.amount };
  const changes = changesFor(ports, send, recipient, terms);
  const answer = await send.outgoing.reply.answer();
  const committed = await ports.committer.commit([...changes, ...answer, ...(await send.commitReply(report))]);
  return committed.ok ? ok(report) : committed;
};

/** Puts the copies, then commits, as often as the other side changes meanwhile. */
const deliverTo = async (ports: InternalSendPorts, send: InternalSend, name: string, found: Known): Promise<Outcome<StakeReport>> => {
  const { sender, outgoing } = send;
  let recipient = found;
  await Promise.all([
    putCopy(ports.objects, walletOf(recipient), outgoing.emailId, outgoing),
    putCopy(ports.objects, sender.wallet, sentId(send, recipient), outgoing),
  ]);
  let payer = sender;
  for (let round = 0; ; round += 1) {
    const outcome = await attempt(ports, send, recipient, payer);
    if (outcome.ok || outcome.code !== 'try_again' || round === ROUNDS_MAX) return outcome;
    payer = (await ports.accounts.byWallet(sender.wallet, { strong: true })) ?? payer;
    const again = await resolveRecipient(ports, name);
    // The copies lie with the wallet that the name led to at first; the name may be another's by now.
    if (again.kind === 'unknown' || walletOf(again) !== walletOf(recipient)) return notFound('Recipient');
    recipient = again;
  }
};

/** Delivers to an agent, or stores for a wallet that has not registered yet. */
export const sendInternal = async (ports: InternalSendPorts, send: InternalSend): Promise<Outcome<StakeReport>> => {
  const name = mailboxNameOf(send.outgoing.draft.to.split('@')[0] ?? '');
  const recipient = await resolveRecipient(ports, name);
  if (recipient.kind === 'unknown') return notFound('Recipient');
  if (recipient.kind === 'account') return deliverTo(ports, send, name, recipient);
  const admitted = await admitPending(ports, send, recipient.wallet);
  if (!admitted.ok) return admitted;
  return counted(
    () => ports.limiter.release(LIMITS.prestore, recipient.wallet, send.now),
    () => deliverTo(ports, send, name, recipient),
  );
};
