// What the provider reports of an external message moves its `delivery` on, in one direction only, and settles its outbox entry.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Committer } from '../ports/changes.ts';
import type { Mailboxes } from '../ports/stores.ts';
import type { Wallet } from '../values/wallet.ts';
import type { DeliveryState } from './mail.ts';
import { settleOutbox } from './settle-outbox.ts';

export type DeliveryEvent = 'Send' | 'Delivery' | 'Bounce' | 'Complaint' | 'Reject' | 'DeliveryDelay';

export interface ReportedEvent {
  readonly type: DeliveryEvent;
  readonly wallet: Wallet;
  readonly emailId: string;
  readonly wireId: string;
  /** A transient bounce is a delay that ended; only a permanent one says that the address is bad. */
  readonly isPermanent: boolean;
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
  Complaint: { to: 'complained', from: ['queued', 'sent', 'delayed', 'delivered', 'failed'] },
  Reject: { to: 'failed', from: ['queued', 'sent'] },
};

const ROUNDS_MAX = 5;

const moveOn = async (ports: { mailboxes: Mailboxes; committer: Committer }, event: ReportedEvent): Promise<Outcome<void>> => {
  const { to, from } = STEPS[event.type];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const row = await ports.mailboxes.byId(event.wallet, event.emailId);
    if (row?.delivery === undefined || !from.includes(row.delivery)) return ok(undefined);
    const change = { kind: 'mail.delivery', owner: event.wallet, id: event.emailId, from: [row.delivery], to, wireId: event.wireId } as const;
    const moved = await ports.committer.commit([change]);
    if (moved.ok || moved.code !== 'try_again') return ok(undefined);
  }
  return fail('try_again');
};

/** Follows one event. Every event proves that the message was taken over, so the outbox entry goes with the first. */
export const followDelivery = async (ports: { mailboxes: Mailboxes; committer: Committer }, event: ReportedEvent): Promise<Outcome<void>> => {
  const { wallet, emailId, wireId } = event;
  const settled = await settleOutbox(ports.committer, { wallet, emailId, to: 'sent', wireId, along: [] });
  if (!settled.ok && settled.code === 'try_again') return settled;
  return moveOn(ports, event);
};
