// Money where use cases meet: incomes that one call settles together, and who is asked which price.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '#domain/errors.ts';
import { markIdsRead } from '#domain/mail/mark-read.ts';
import { creditRefund } from '#domain/mail/send-external.ts';
import type { Change } from '#domain/ports/changes.ts';
import { systemIds } from '#runtime/ids.ts';
import { auditBook, readBook } from '#test/support/ledger-audit.ts';
import { LedgerWorld, walletAt } from '#test/support/ledger-world.ts';

let world: LedgerWorld;
beforeAll(async () => {
  world = await LedgerWorld.start();
});
afterAll(() => world.stop());
beforeEach(() => world.renew());

describe('marking expired mail read while its settlement keeps losing races', () => {
  it('behavior: three incomes of one call are three incomes of the day', async () => {
    const [reader, sender] = [await world.register(1), await world.register(2)];
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await world.send(sender, reader)).emailId);
    world.now += 48 * 3600;
    const { committer } = world.ports;
    const losing = {
      commit: async (changes: readonly Change[]) =>
        changes.some(({ kind }) => kind === 'mail.settle') ? fail('try_again') : committer.commit(changes),
    };
    const marking = { owner: await world.account(reader), now: world.now, hasTime: () => true };

    expect(await markIdsRead({ ...world.ports, committer: losing }, marking, ids)).toStrictEqual([]);

    const after = await world.account(reader);
    expect([after.mail.unread, after.attn, after.earnings.earned]).toStrictEqual([0, 59n, 9n]);
    expect(auditBook(readBook(await world.items()))).toStrictEqual([]);
  });
});

describe('the pages of a history', () => {
  it('behavior: of any size give the rows of one second once each, every end above its stake, while new rows come', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const [reader, sender] = [await world.register(1), await world.register(2)];
      const expected = ['signup_grant'];
      for (let n = 0; n < 5; n += 1) {
        vi.setSystemTime(world.now * 1000 + 100 + 20 * n);
        const { emailId } = await world.send(sender, reader);
        vi.setSystemTime(world.now * 1000 + 110 + 20 * n);
        await world.read(reader, emailId);
        expected.unshift('refund', 'stake');
      }
      for (const limit of [1, 2, 3, 7]) {
        const rows: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await world.ports.statements.page({ wallet: sender, asset: 'ATTN', limit, ...(cursor !== undefined && { cursor }) });
          rows.push(...page.rows.map(({ type }) => type));
          cursor = page.nextCursor;
          // Written between two pages, it belongs above the first.
          if (rows.length === limit) await world.send(sender, reader);
        } while (cursor !== undefined);
        expect(rows).toStrictEqual(expected);
        expected.unshift('stake');
      }
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a cursor of the history', () => {
  const id = systemIds.derived(1, 'a row');

  it.each([
    ['none at all', ''],
    ['a word', 'zz'],
    ['part of a key', 'W#x'],
    ['a control character', '\u0000'],
    ['more than a key can hold', 'x'.repeat(2000)],
    ['an id with something behind it', `${id}x`],
    ['an id in capitals', id.toUpperCase()],
  ])('error: %s is none of ours', async (_name, cursor) => {
    const page = world.ports.statements.page({ wallet: await world.register(1), asset: 'ATTN', limit: 5, cursor });

    await expect(page).rejects.toMatchObject({ failure: { code: 'invalid_request', detail: { message: 'cursor is not one of ours' } } });
  });
});

describe('a credit that is given back', () => {
  it('behavior: comes once, whatever moment the second path gives it', async () => {
    const wallet = await world.register(1);
    const message = { wallet, emailId: systemIds.next(world.now), chargedAt: world.now };
    const { committer } = world.ports;

    const [first, second] = [
      await committer.commit(creditRefund(systemIds, message, world.now + 5)),
      await committer.commit(creditRefund(systemIds, message, world.now + 900)),
    ];

    expect([first, second]).toMatchObject([{ ok: true }, { ok: false, code: 'already_claimed' }]);
    expect((await world.account(wallet)).credits).toBe(11n);
  });
});

describe('the price of a reply', () => {
  it('behavior: a thread that was handed on by a third is no thread of the reader with its new sender', async () => {
    const [reader, accomplice, stranger] = [await world.register(1), await world.register(2), await world.register(3)];
    await world.setPrice(reader, 10);
    const begun = await world.send(reader, accomplice);
    const handedOn = await world.send(accomplice, stranger, begun.emailId);

    const [cold, reply] = [await world.send(stranger, reader, handedOn.emailId), await world.send(accomplice, reader, begun.emailId)];

    expect(cold.sent).toMatchObject({ ok: true, value: { amount: 10n, reason: 'cold_email' } });
    expect(reply.sent).toMatchObject({ ok: true, value: { amount: 1n, reason: 'reply_thread' } });
  });
});

describe('a wallet that registers late', () => {
  it('behavior: gets all of its waiting mail, however much came through while nothing was counted', async () => {
    const [sender, late] = [await world.register(1), walletAt(2)];
    for (let n = 0; n < 120; n += 1) expect((await world.send(sender, late)).sent.ok).toBe(true);

    await world.register(2);

    const { mail } = await world.account(late);
    const rows = (await world.items()).filter((item) => item['PK'] === `M#${late}`);
    expect([mail.inbox, mail.unread, rows.length, rows.filter((row) => row['ttl'] !== undefined).length]).toStrictEqual([120, 120, 120, 0]);
  });
});
