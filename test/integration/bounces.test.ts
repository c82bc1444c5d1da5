// Bounces against a real table: one a day for a sender, never none because something died or the provider had no time.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openAccounts, openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openSeenMarks } from '#adapters/dynamo/mail-area-store.ts';
import { parseMail } from '#adapters/mime/parse-mail.ts';
import type { InboundMessage } from '#domain/mail/receive-mail.ts';
import { type MessagePorts, receiveMessage } from '#domain/mail/receive-message.ts';
import type { Bouncer } from '#domain/ports/mail.ts';
import { sha256Hex, systemIds } from '#runtime/ids.ts';
import { LedgerWorld } from '#test/support/ledger-world.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;
type Answer = Awaited<ReturnType<Bouncer['bounce']>>;

let world: LedgerWorld;
/** What the provider answers to each bounce in turn, and what was asked of it. */
let answers: (Answer | Error)[];
let asked: string[];

beforeAll(async () => {
  world = await LedgerWorld.start();
});
beforeEach(async () => {
  await world.renew();
  [answers, asked] = [[], []];
});
afterAll(() => world.stop());

const ports = (): MessagePorts =>
  ({
    accounts: openAccounts(world.table),
    handles: openHandles(world.table),
    seenMarks: openSeenMarks(world.table),
    committer: openCommitter(world.table),
    digests: { sha256Hex },
    ids: systemIds,
    mailDomain: 'agents.example',
    count: () => undefined,
    bouncer: {
      bounce: async ({ sesId }: { sesId: string }) => {
        asked.push(sesId);
        const answer = answers.shift() ?? 'sent';
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  }) as unknown as MessagePorts;

/** A message to nobody; the same `sesId` is the same message coming again. */
const receive = async (sesId: string, receivedAt = NOW): Promise<unknown> => {
  const bytes = Buffer.from('From: ann@example.com\r\nTo: ghost@agents.example\r\nSubject: s\r\n\r\nb');
  const message: InboundMessage = {
    sesId,
    receivedAt,
    receivedAtMs: receivedAt * 1000,
    envelopeFrom: 'ann@example.com',
    verdicts: { spf: 'PASS', dkim: 'PASS', dmarc: 'PASS', spam: 'PASS', virus: 'PASS' },
    parsed: await parseMail(bytes),
    bytes,
    contentHash: undefined,
  };
  return receiveMessage(ports(), message, ['ghost@agents.example']).catch((error: unknown) => error);
};

it('default: one a day for a sender', async () => {
  await receive('first');
  await receive('second');
  await receive('third', NOW + DAY);

  expect(asked).toEqual(['first', 'third']);
});

it('behavior: a message that comes again, out of the dead letters weeks later, bounces no second time', async () => {
  await receive('first');

  expect(await receive('first')).toEqual(['repeated']);
  expect(asked).toEqual(['first']);
});

it('behavior: while the provider sends none, the message comes again, and so may others', async () => {
  answers = ['unavailable', 'unavailable'];
  expect(await receive('first')).toBeInstanceOf(Error);
  expect(await receive('second')).toBeInstanceOf(Error);
  await receive('first');
  await receive('second');

  expect(asked).toEqual(['first', 'second', 'first']);
});

it('behavior: a death after the mark was made leaves the bounce to the message itself, and to no other', async () => {
  answers = [new Error('the process died')];
  await receive('first');
  await receive('second');
  await receive('first');

  expect(asked).toEqual(['first', 'first']);
});

it('behavior: one that is refused for what it is leaves the day to the next message', async () => {
  answers = ['refused'];
  await receive('first');
  await receive('second');

  expect(asked).toEqual(['first', 'second']);
});

it('behavior: one whose answer was lost is not sent again', async () => {
  answers = ['unknown'];
  await receive('first');
  await receive('first');
  await receive('second');

  expect(asked).toEqual(['first']);
});
