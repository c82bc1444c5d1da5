// One account in everybody's way: many senders on one mailbox, many readers who refund one sender, claims and rejects for
// one cap. No update is lost, and no caller sees an error.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Wallet } from '#domain/values/wallet.ts';
import { auditBook, readBook } from '#test/support/ledger-audit.ts';
import { LedgerWorld } from '#test/support/ledger-world.ts';

const CROWD = 32;

let world: LedgerWorld;
beforeAll(async () => {
  world = await LedgerWorld.start();
});
afterAll(() => world.stop());

let hub: Wallet;
let crowd: Wallet[];
beforeEach(async () => {
  await world.renew();
  hub = await world.register(0);
  crowd = [];
  for (let index = 1; index <= CROWD; index += 1) crowd.push(await world.register(index));
});

const cleanBook = async (): Promise<void> => expect(auditBook(readBook(await world.items()))).toStrictEqual([]);
const balanceOf = async (wallet: Wallet): Promise<bigint> => (await world.account(wallet)).attn;

describe('a hot account', () => {
  it('behavior: 32 senders hit one mailbox at once', async () => {
    const sent = await Promise.all(crowd.map((wallet) => world.send(wallet, hub)));

    expect(sent.filter(({ sent: { ok } }) => !ok)).toStrictEqual([]);
    expect((await world.account(hub)).mail).toMatchObject({ inbox: CROWD, unread: CROWD, pendingStakes: CROWD });
    expect((await world.account(hub)).activity.received).toBe(CROWD);
    await cleanBook();
  });

  it('behavior: 32 readers give one sender its stakes back at once', async () => {
    for (const reader of crowd) await world.setPrice(reader, 1);
    const mails: { reader: Wallet; emailId: string }[] = [];
    for (const reader of crowd) mails.push({ reader, emailId: (await world.send(hub, reader)).emailId });
    expect(await balanceOf(hub)).toBe(BigInt(50 - CROWD));
    const read = await Promise.all(mails.map(({ reader, emailId }) => world.read(reader, emailId)));

    expect(read.filter(({ ok }) => !ok)).toStrictEqual([]);
    expect(await balanceOf(hub)).toBe(50n);
    await cleanBook();
  });

  it('behavior: one reader rejects 32 mails and claims, all at once, up to the cap and not beyond', async () => {
    await world.setPrice(hub, 10);
    const ids: string[] = [];
    for (const sender of crowd) ids.push((await world.send(sender, hub)).emailId);
    const done = await Promise.all([...ids.map((id) => world.reject(hub, id)), world.claim(hub)]);

    expect(done.filter(({ ok }) => !ok)).toStrictEqual([]);
    expect(await balanceOf(hub)).toBe(250n);
    await cleanBook();
  });

  it('behavior: 32 claims at once pay once', async () => {
    const claims = await Promise.all(crowd.map(() => world.claim(hub)));

    expect(claims.filter((claim) => claim.ok && claim.value.reason === undefined)).toHaveLength(1);
    expect(await balanceOf(hub)).toBe(60n);
  });
});

describe('the end of 48 hours', () => {
  const HOURS_48 = 48 * 3600;

  it.each(['listing', 'schedule', 'both'])('behavior: %s settles, once', async (by) => {
    const [sender] = crowd as [Wallet];
    for (let n = 0; n < 3; n += 1) await world.send(sender, hub);
    world.now += HOURS_48 - 1;
    expect([await world.sweepStakes(), (await world.list(hub)).owner.attn]).toStrictEqual([0, 50n]);
    world.now += 1;
    await Promise.all([
      ...(by === 'schedule' ? [] : [world.list(hub), world.list(hub)]),
      ...(by === 'listing' ? [] : [world.sweepStakes(), world.sweepStakes()]),
    ]);

    expect([await balanceOf(hub), await balanceOf(sender)]).toStrictEqual([59n, 41n]);
    await cleanBook();
  });
});

describe('midnight', () => {
  const DAY_SECONDS = 86_400;

  it('behavior: what began before it and commits after it counts on the new day, and opens the cap of neither again', async () => {
    await world.setPrice(hub, 10);
    const sent: string[] = [];
    for (const sender of crowd.slice(0, 22)) sent.push((await world.send(sender, hub)).emailId);
    const before = world.now;
    const after = before + DAY_SECONDS;
    world.now = after;
    for (const id of sent.slice(0, 20)) await world.reject(hub, id);
    expect((await world.account(hub)).earnings.earned).toBe(200n);

    world.now = before;
    await world.reject(hub, sent[20] ?? '');
    expect((await world.claim(hub)).ok).toBe(true);
    world.now = after;
    await world.reject(hub, sent[21] ?? '');

    expect((await world.account(hub)).earnings).toStrictEqual({ day: Math.floor(after / DAY_SECONDS), earned: 200n });
    expect(await balanceOf(hub)).toBe(250n);
    await cleanBook();
  });
});
