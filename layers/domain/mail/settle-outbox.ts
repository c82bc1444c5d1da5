// The end of a queued external message: taken over, or given up with the credit back. Acceptance, refusal, the provider's
// event and the sweep all end here, and whoever takes the outbox entry first decides.
import type { Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Wallet } from '../values/wallet.ts';
import type { DeliveryState } from './mail.ts';

const ROUNDS_MAX = 3;

export interface OutboxEnd {
  readonly wallet: Wallet;
  readonly emailId: string;
  readonly to: Extract<DeliveryState, 'sent' | 'failed'>;
  readonly wireId?: string;
  /** Goes along with the end: the refund of the credit, the freeing of a stored reply. */
  readonly along: readonly Change[];
}

/** Settles a message; ends in `not_found` when someone else settled it before. */
export const settleOutbox = async (committer: Committer, end: OutboxEnd): Promise<Outcome<void>> => {
  const settle: Change = { kind: 'outbox.settle', wallet: end.wallet, emailId: end.emailId };
  const row: Change = {
    kind: 'mail.delivery',
    owner: end.wallet,
    id: end.emailId,
    from: ['queued'],
    to: end.to,
    ...(end.wireId !== undefined && { wireId: end.wireId }),
  };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const outcome = await committer.commit([settle, row, ...end.along]);
    if (outcome.ok) return outcome;
    // Lost races are run again, so that no copy says "queued" for ever; every other refusal stands.
    if (outcome.code !== 'try_again') break;
  }
  // The sender may have deleted its copy, or an event moved it on: the money is settled all the same.
  return committer.commit([settle, ...end.along]);
};
