// Which thread a mail from outside joins, by our own ids and by those that the provider put on the wire.
import { describe, expect, it } from 'vitest';
import { parseMail } from '#adapters/mime/parse-mail.ts';
import { readWireId, wireMessageIdsIn } from '#adapters/ses/wire-ids.ts';
import { type ThreadPorts, threadFor } from '#domain/mail/mail-thread.ts';
import type { MailRow } from '#domain/mail/mail.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const ALICE: Wallet = `0x${'a'.repeat(40)}`;
const BOB: Wallet = `0x${'b'.repeat(40)}`;
const MAIL = '01k9aaaaaaaaaaaaaaaaaaaaaa';
const WIRE = '0100018f0c2a1b3d-5f0e2c1a-1111-2222-3333-444455556666-000000';

const ports: ThreadPorts = {
  mailDomain: 'agents.example',
  readWireId,
  wireIds: { find: async (wireId) => (wireId === WIRE ? { wallet: ALICE, emailId: MAIL } : undefined) },
  mailboxes: {
    byId: async (owner: Wallet, id: string) =>
      owner === ALICE && id === MAIL ? ({ thread: { id: MAIL, starter: ALICE } } as MailRow) : undefined,
  } as ThreadPorts['mailboxes'],
};

const threadOf = async (owner: Wallet, ...head: string[]) =>
  threadFor(ports, owner, await parseMail(Buffer.from(`${head.join('\r\n')}\r\n\r\n`)), 'new');

describe('the thread of a mail from outside', () => {
  it.each([
    ['our own id', `In-Reply-To: <${MAIL}@agents.example>`],
    ['our own id among the references', `References: <x@y.example> <${MAIL}@agents.example> <z@y.example>`],
    ['the wire id', `In-Reply-To: <${WIRE}@us-east-1.amazonses.com>`],
    ['the wire id of us-east-1', `References: <${WIRE}@email.amazonses.com>`],
  ])('default: is joined by %s', async (_name, line) => {
    expect(await threadOf(ALICE, line)).toEqual({ id: MAIL, starter: ALICE });
  });

  it('behavior: is a new one for someone else, for ids of others, and without any', async () => {
    expect(await threadOf(BOB, `In-Reply-To: <${MAIL}@agents.example>`)).toEqual({ id: 'new' });
    expect(await threadOf(ALICE, `In-Reply-To: <${MAIL}@other.example>`)).toEqual({ id: 'new' });
    expect(await threadOf(ALICE, `In-Reply-To: <${WIRE}@amazonses.com.evil.example>`)).toEqual({ id: 'new' });
    expect(await threadOf(ALICE)).toEqual({ id: 'new' });
  });

  it('behavior: wire ids are read back as they were written, in every region', () => {
    for (const region of ['us-east-1', 'eu-west-1']) {
      expect(wireMessageIdsIn(region)(WIRE).map(readWireId)).toEqual(wireMessageIdsIn(region)(WIRE).map(() => WIRE));
    }
  });
});
