// What the provider reports of an external message moves its `delivery` on, in one direction only, and settles its outbox
// entry. A hard bounce or a complaint also closes the address to its sender, and hard bounces add up to a pause.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { LedgerStatements } from '../ports/ledger.ts';
import type { Standings } from '../ports/mail.ts';
import type { Digests, Mailboxes } from '../ports/stores.ts';
import { type Ids, secondsOf } from '../values/id.ts';
import { SECONDS_PER_DAY } from '../values/time.ts';
import type { Wallet } from '../values/wallet.ts';
import type { DeliveryState } from './mail.ts';
import { creditRefund, spendId, wireChange } from './send-external.ts';
import { settleOutbox } from './settle-outbox.ts';
import { withBounce } from './standing.ts';

export type DeliveryEvent = 'Send' | 'Delivery' | 'Bounce' | 'Complaint' | 'Reject' | 'DeliveryDelay';

export interface ReportedEvent {
  readonly type: DeliveryEvent;
  readonly wallet: Wallet;
  readonly emailId: string;
  readonly wireId: string;
  /** The address that the message went to; a sender may have deleted its copy. */
  readonly to: string | undefined;
  /** A transient bounce is a delay that ended; only a permanent one says that the address is bad. */
  readonly isPermanent: boolean;
  readonly now: number;
}

export interface FollowPorts {
  readonly mailboxes: Mailboxes;
  readonly committer: Committer;
  readonly standings: Standings;
  readonly ledger: Pick<LedgerStatements, 'row'>;
  readonly digests: Digests;
  readonly ids: Ids;
}

interface Step {
  readonly to: DeliveryState;
  readonly from: readonly DeliveryState[];
}

/** Events come late, twice and out of order: each step names the states it may follow, and from any other it changes nothing. */
const STEPS: Readonly<Record<DeliveryEvent, Step>> = {
  // Also from `failed`: the sweep gave the credit back, but the message was sent after all. It takes nothing again.
  Send: { to: 'sent', from: ['queued', 'failed'] },
  DeliveryDelay: { to: 'delayed', from: ['queued', 'sent'] },
  Delivery: { to: 'delivered', from: ['queued', 'sent', 'delayed', 'failed'] },
  Bounce: { to: 'bounced', from: ['queued', 'sent', 'delayed', 'delivered', 'failed'] },
  Complaint: { to: 'complained', from: ['queued', 'sent', 'delayed', 'delivered', 'bounced', 'failed'] },
  Reject: { to: 'failed', from: ['queued', 'sent'] },
};

const ROUNDS_MAX = 5;
/** An event comes again for days at most. */
const REMEMBERED_SECONDS = 30 * SECONDS_PER_DAY;

/**
 * The provider took the message and then refused to send it (a virus): a definite refusal, so the credit goes back. The
 * ledger tells whether one was spent, since mail to the operator is free and a sender may have deleted its copy.
 */
const refundFor = async (ports: FollowPorts, { type, wallet, emailId, now }: ReportedEvent): Promise<Change[]> => {
  if (type !== 'Reject') return [];
  const chargedAt = secondsOf(emailId);
  if (!(await ports.ledger.row(wallet, 'CREDIT', spendId(ports.ids, emailId, chargedAt)))) return [];
  return creditRefund(ports.ids, { wallet, emailId, chargedAt }, now);
};

/** What the event does to the sender's copy: nothing when it is gone, or further on already. */
const stepOf = async (ports: FollowPorts, event: ReportedEvent): Promise<Change[]> => {
  const { to, from } = STEPS[event.type];
  const { wallet, emailId, wireId } = event;
  const row = await ports.mailboxes.byId(wallet, emailId);
  if (row?.delivery === undefined || !from.includes(row.delivery)) return [];
  const change = { kind: 'mail.delivery', owner: wallet, id: emailId, from: [row.delivery], to, wireId } as const;
  return [change, wireChange(event, wireId, row.createdAt)];
};

const moveOn = async (ports: FollowPorts, event: ReportedEvent): Promise<Outcome<void>> => {
  let refund = await refundFor(ports, event);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const step = await stepOf(ports, event);
    if (step.length + refund.length === 0) return ok(undefined);
    const moved = await ports.committer.commit([...step, ...refund]);
    if (moved.ok) return moved;
    // The sweep gave the credit back, or this event did when it came before.
    if (moved.code === 'already_claimed') refund = [];
  }
  return fail('try_again');
};

type Blame = 'bounced' | 'complained';

const blameOf = ({ type, isPermanent }: ReportedEvent): Blame | undefined => {
  if (type === 'Complaint') return 'complained';
  return type === 'Bounce' && isPermanent ? 'bounced' : undefined;
};

const blameChanges = async (ports: FollowPorts, event: ReportedEvent, why: Blame, address: string): Promise<Change[]> => {
  const { wallet, emailId, now } = event;
  const key = ports.digests.sha256Hex(`${why} ${emailId}`);
  const changes: Change[] = [
    { kind: 'inbound.seen', key, now, expiresAt: now + REMEMBERED_SECONDS },
    { kind: 'suppression.put', wallet, address, why, at: now },
  ];
  if (why === 'complained') return changes;
  const before = await ports.standings.of(wallet);
  return [...changes, { kind: 'standing.bounces', wallet, before, bouncedAt: withBounce(before) }];
};

/** Closes the address to its sender, once however often the event comes. */
const blame = async (ports: FollowPorts, event: ReportedEvent): Promise<Outcome<void>> => {
  const why = blameOf(event);
  if (why === undefined || event.to === undefined) return ok(undefined);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const noted = await ports.committer.commit(await blameChanges(ports, event, why, event.to));
    if (noted.ok || noted.code === 'already_claimed') return ok(undefined);
  }
  return fail('try_again');
};

/** Follows one event. Every event proves that the message was taken over, so the outbox entry goes with the first. */
export const followDelivery = async (ports: FollowPorts, event: ReportedEvent): Promise<Outcome<void>> => {
  const { wallet, emailId, wireId, now } = event;
  const along = [wireChange(event, wireId, now)];
  const settled = await settleOutbox(ports.committer, { wallet, emailId, to: 'sent', wireId, along });
  if (!settled.ok && settled.code === 'try_again') return settled;
  const blamed = await blame(ports, event);
  return blamed.ok ? moveOn(ports, event) : blamed;
};
