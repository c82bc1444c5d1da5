// What was promised to those outside: a mail that was answered 200 is there once, a message that left was paid for once,
// and one that did not was given back once. True when everything has come to rest.
import { OUTBOX_PATIENCE_SECONDS } from '#domain/mail/send-external.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { SentPromise, World } from '../world/world.ts';
import { groupBy, type Invariant } from './invariant.ts';

/** Every copy that was ever stored, deleted or not, by the stream: `<owner>/<id>` of one subject. */
const storedCopies = (world: World): ReadonlyMap<string, readonly { readonly copy: string; readonly folder: string }[]> => {
  const copies = world.stream.records.flatMap(({ eventName, dynamodb }) => {
    const image = dynamodb?.['NewImage'] as Readonly<Record<string, { readonly S?: string }>> | undefined;
    if (eventName !== 'INSERT' || image?.['type']?.S !== 'mail') return [];
    const text = (name: string): string => image[name]?.S ?? '';
    return [{ subject: text('su'), folder: text('fo'), copy: `${text('PK').slice(2)}/${text('SK').slice(2)}` }];
  });
  return groupBy(copies, ({ subject }) => subject);
};

/** A message that the provider refused was given back, and its sender tried again with another: such a copy does not count. */
const copiesOf = (promise: SentPromise, stored: ReturnType<typeof storedCopies>, refunded: ReadonlySet<string>): string[] => {
  const copies = stored.get(promise.subject) ?? [];
  const idOf = (copy: string): string => copy.slice(copy.indexOf('/') + 1);
  const sent = copies.filter(({ folder, copy }) => folder === 's' && (idOf(copy) === promise.emailId || !refunded.has(idOf(copy)))).length;
  const received = copies.filter(({ folder }) => folder !== 's').length;
  const expected = promise.isExternal ? 0 : 1;
  const problems: string[] = [];
  if (sent > 1 || received > expected)
    problems.push(`${promise.subject} was stored ${sent} times as sent and ${received} times as received`);
  if (promise.emailId !== undefined && (sent !== 1 || received !== expected)) {
    problems.push(`${promise.subject} was answered 200 and stored ${sent} times as sent, ${received} times as received`);
  }
  return problems;
};

const sentMailIsThereOnce: Invariant = ({ ledger }, world) => {
  const stored = storedCopies(world);
  const refunds = ledger.filter(({ asset, type }) => asset === 'CREDIT' && type === 'refund');
  const refunded = new Set(refunds.map(({ reference }) => reference.emailId ?? ''));
  return world.sent.flatMap((promise) => copiesOf(promise, stored, refunded));
};

/** What nobody deleted is still there. */
const nothingVanishes: Invariant = ({ mails }, world) => {
  const there = new Set(mails.map(({ owner, id }) => `${owner}/${id}`));
  return world.sent.flatMap(({ subject, sender, emailId }) => {
    if (emailId === undefined) return [];
    const ids = [
      emailId,
      ...mails.filter((row) => row.owner === sender && row.subject === subject && row.folder === 'sent').map(({ id }) => id),
    ];
    const isThere = ids.some((id) => there.has(`${sender}/${id}`));
    return isThere || [...world.deleted].some((copy) => copy.startsWith(sender)) ? [] : [`${subject} is gone from its sender's mailbox`];
  });
};

const receivedMailIsThereOnce: Invariant = (_snapshot, world) => {
  const stored = storedCopies(world);
  return world.received.flatMap(({ subject, owners, isDone }) =>
    owners.flatMap((owner) => {
      const copies = (stored.get(subject) ?? []).filter(({ copy }) => copy.startsWith(owner)).length;
      return copies === 1 || (copies === 0 && !isDone) ? [] : [`${subject} was stored ${copies} times for ${owner}`];
    }),
  );
};

interface Hold {
  readonly emailId: string;
  readonly at: number;
  readonly refunds: number;
}

const holdsOf = ({ ledger }: Snapshot): Hold[] =>
  ledger
    .filter(({ type }) => type === 'send_external')
    .map(({ at, reference }) => ({
      emailId: reference.emailId ?? '',
      at,
      refunds: ledger.filter((row) => row.asset === 'CREDIT' && row.type === 'refund' && row.reference.emailId === reference.emailId)
        .length,
    }));

const holdProblems = (world: World, { emailId, at, refunds }: Hold): string[] => {
  const taken = world.cloud.taken.filter((message) => message.emailId === emailId).length;
  const reports = world.reported.filter((report) => report.emailId === emailId);
  const isRejected = reports.some(({ type }) => type === 'Reject');
  const mayBeSwept = world.sweptAt.some((swept) => swept >= at + OUTBOX_PATIENCE_SECONDS);
  const isPromised = world.sent.some((promise) => promise.emailId === emailId && promise.delivery === 'sent');
  const problems: string[] = [];
  if (taken > 1) problems.push(`${emailId} was handed over ${taken} times`);
  if (refunds > 1) problems.push(`${emailId} was refunded ${refunds} times`);
  if (taken === 0 && refunds !== 1) problems.push(`${emailId} never left and was refunded ${refunds} times`);
  if (isRejected && refunds !== 1) problems.push(`${emailId} was rejected by the provider and refunded ${refunds} times`);
  if (refunds > 0 && taken > 0 && !isRejected && !mayBeSwept) problems.push(`${emailId} left, and was refunded`);
  if (refunds > 0 && isPromised && !isRejected) problems.push(`${emailId} was answered "sent", and was refunded`);
  return problems;
};

const holdsEndOnce: Invariant = (snapshot, world) => holdsOf(snapshot).flatMap((hold) => holdProblems(world, hold));

const nothingIsUndecided: Invariant = ({ outbox }) => [...outbox].map((emailId) => `${emailId} is still in the outbox`);

/** Refunds without a charge, charges without a message. */
const refundsHaveHolds: Invariant = (snapshot) => {
  const held = new Set(holdsOf(snapshot).map(({ emailId }) => emailId));
  return snapshot.ledger
    .filter(({ asset, type, reference }) => asset === 'CREDIT' && type === 'refund' && !held.has(reference.emailId ?? ''))
    .map(({ reference }) => `${reference.emailId} was refunded and never charged`);
};

const STATISTICS = { agents: ['A'], received: ['i', 'q'], sent: ['s'] } as const;

const statisticsEqualTheStream: Invariant = ({ statistics, accounts }, world) => {
  const folders = [...storedCopies(world).values()].flat().map(({ folder }) => folder);
  const counted = (kinds: readonly string[]): number => folders.filter((folder) => kinds.includes(folder)).length;
  const expected = { agents: accounts.length, received: counted(STATISTICS.received), sent: counted(STATISTICS.sent) };
  return Object.entries(expected)
    .filter(([name, count]) => (statistics.get(name) ?? 0) !== count)
    .map(([name, count]) => `statistic ${name} is ${statistics.get(name) ?? 0} instead of ${count}`);
};

/** Bytes of what was deleted are gone, once the stream was followed to its end. */
const deletedBytesAreGone: Invariant = ({ mails, waiting }, world) => {
  const there = new Set([...mails, ...waiting].map(({ owner, id }) => `${owner}/${id}`));
  const stored = new Set([...storedCopies(world).values()].flat().map(({ copy }) => copy));
  return [...stored]
    .filter((copy) => !there.has(copy) && world.cloud.objects.has(`mail/${copy}/raw`))
    .map((copy) => `${copy} was deleted and its bytes are still there`);
};

export const promiseInvariants: readonly Invariant[] = [
  sentMailIsThereOnce,
  nothingVanishes,
  receivedMailIsThereOnce,
  nothingIsUndecided,
  holdsEndOnce,
  refundsHaveHolds,
  statisticsEqualTheStream,
  deletedBytesAreGone,
];
