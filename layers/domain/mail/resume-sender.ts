// Lifting the breaker: an operator who has spoken with a paused sender lets it send to the outside again.
import { notFound, ok, fail, type Outcome } from '../errors.ts';
import { findByHandle, type LookUpPorts } from '../identity/look-up.ts';
import type { Committer } from '../ports/changes.ts';
import type { Standings } from '../ports/mail.ts';
import type { Wallet } from '../values/wallet.ts';
import { isPaused } from './standing.ts';

const ROUNDS_MAX = 4;

export interface ResumePorts extends LookUpPorts {
  readonly standings: Standings;
  readonly committer: Committer;
}

export interface Resumed {
  readonly wallet: Wallet;
  readonly wasPaused: boolean;
}

/**
 * Forgets the bounces of an account; the addresses that bounced stay closed to it. Repeating it changes nothing.
 *
 * @param sender a handle or a wallet
 */
export const resumeSender = async (ports: ResumePorts, sender: string): Promise<Outcome<Resumed>> => {
  const wallet = (await findByHandle(ports, sender))?.wallet;
  if (!wallet) return notFound('Sender');
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = await ports.standings.of(wallet);
    if (before.bouncedAt.length === 0) return ok({ wallet, wasPaused: false });
    const forgotten = await ports.committer.commit([{ kind: 'standing.bounces', wallet, before, bouncedAt: [] }]);
    if (forgotten.ok) return ok({ wallet, wasPaused: isPaused(before) });
  }
  return fail('try_again');
};
