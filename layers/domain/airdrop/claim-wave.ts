// Claiming a wave: the score of the moment is paid in ATTN, once per account and wave.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import type { Movement } from '../ledger/movements.ts';
import type { WaveClaim } from '../ports/airdrop.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Ids } from '../values/id.ts';
import { amountFor, type Score, scoreOf } from './score.ts';
import { checkOpen, type Wave } from './waves.ts';

export interface WavePayment {
  readonly wave: Wave;
  readonly amount: bigint;
  readonly score: Score;
}

export interface WaveClaimRequest {
  readonly account: Account;
  /** Undefined when there is no such wave. */
  readonly wave: Wave | undefined;
  readonly hasClaimed: boolean;
  readonly now: number;
  readonly commitReply: (payment: WavePayment) => Promise<Change[]>;
}

const airdropMovement = (ids: Ids, { waveId, wallet, amount, at }: WaveClaim): Movement => ({
  // One claim a wave is the condition of `wave.claim`, in the same transaction.
  id: ids.next(at),
  asset: 'ATTN',
  type: 'airdrop',
  debit: 'mint',
  credit: wallet,
  amount,
  at,
  reference: { note: `Airdrop ${waveId}` },
});

/** Pays a wave. Order of refusals: unknown 404, not open or closed 403, claimed 409, score zero 400. */
export const claimWave = async (ports: { committer: Committer; ids: Ids }, request: WaveClaimRequest): Promise<Outcome<WavePayment>> => {
  const { account, wave, hasClaimed, now } = request;
  if (!wave) return notFound('Wave');
  const open = checkOpen(wave, now);
  if (!open.ok) return open;
  if (hasClaimed) return fail('already_claimed');
  const score = scoreOf(account, wave.multiplierHalves, now);
  const amount = amountFor(score, wave.amountMax);
  if (amount === 0n) return fail('score_zero');
  const claim: WaveClaim = { waveId: wave.id, wallet: account.wallet, handle: account.handle, amount, at: now };
  const payment = { wave, amount, score };
  const committed = await ports.committer.commit([
    { kind: 'wave.claim', claim },
    { kind: 'movement', movement: airdropMovement(ports.ids, claim) },
    ...(await request.commitReply(payment)),
  ]);
  return committed.ok ? ok(payment) : committed;
};
