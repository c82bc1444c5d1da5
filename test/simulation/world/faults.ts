// What goes wrong with calls to the cloud, and how AWS says so.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Random } from '../random.ts';
import type { PendingCall, Service } from './operation.ts';

export type Fault =
  /** Refused before anything happened. */
  | { readonly kind: 'before'; readonly name: string; readonly error: Error }
  /** Done, and its answer lost. */
  | { readonly kind: 'after'; readonly name: string; readonly error: Error }
  /** The function dies before the call is made, after it was made, or with the call on its way, which is then made later. */
  | { readonly kind: 'death'; readonly name: string; readonly when: 'before' | 'after' | 'late' };

const serviceError = (name: string, status: number): Error =>
  Object.assign(new Error(`simulated: ${name}`), { name, $metadata: { httpStatusCode: status } });

const conflict = (actionCount: number): Error =>
  new TransactionCanceledException({
    message: 'simulated: conflict',
    $metadata: {},
    CancellationReasons: Array.from({ length: actionCount }, () => ({ Code: 'TransactionConflict' })),
  });

const before = (name: string, status: number): Fault => ({ kind: 'before', name, error: serviceError(name, status) });
const lost: Fault = { kind: 'after', name: 'TimeoutError after the effect', error: serviceError('TimeoutError', 0) };

const deaths = (random: Random): Fault => {
  const when = random.pick(['before', 'after', 'late'] as const);
  return { kind: 'death', name: when === 'late' ? 'death, the call on its way' : `death ${when} the call`, when };
};

/** The troubles of each service, in no order; deaths can be had with any. */
const TROUBLES: Readonly<Record<Service, (call: PendingCall) => readonly Fault[]>> = {
  table: ({ actionCount }) => [
    before('ThrottlingException', 400),
    before('InternalServerError', 500),
    lost,
    ...(actionCount > 0 ? [{ kind: 'before', name: 'TransactionConflict', error: conflict(actionCount) } as const] : []),
  ],
  bucket: () => [before('SlowDown', 503), lost],
  queue: () => [before('ServiceUnavailable', 503), lost],
  post: () => [before('Throttling', 400), before('MessageRejected', 400), before('InternalFailure', 500), before('TimeoutError', 0), lost],
  timer: () => [],
};

/** One death for three troubles. */
const DEATH_ONE_IN = 4;

/** What happens to a call; undefined for nothing. */
export const faultFor = (call: PendingCall): Fault | undefined => {
  const { oneIn, random } = call.operation.faults;
  if (oneIn === 0 || random.below(oneIn) > 0) return undefined;
  if (random.below(DEATH_ONE_IN) === 0) return deaths(random);
  const troubles = TROUBLES[call.service](call);
  return troubles.length === 0 ? undefined : random.pick(troubles);
};
