// Statistics against a real table: what the stream delivers twice, in whatever batches, counts once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CountedEvent, countEvents, openStatistics } from '#adapters/dynamo/statistic-store.ts';
import { LedgerWorld } from '#test/support/ledger-world.ts';

let world: LedgerWorld;
beforeAll(async () => {
  world = await LedgerWorld.start();
});
afterAll(() => world.stop());

const NOW = 1_800_000_000;
const mails = (count: number): CountedEvent[] =>
  Array.from({ length: count }, (_, index) => ({ id: `event-${index}`, names: index % 2 ? ['sent'] : ['received', 'emails'] }));

const counted = async () => {
  const statistics = openStatistics(world.table);
  return Promise.all((['sent', 'received', 'emails', 'agents'] as const).map((name) => statistics.read(name)));
};

it('default: counts a batch larger than a transaction', async () => {
  await world.renew();
  await countEvents(world.table, mails(250), NOW);

  expect(await counted()).toEqual([125, 125, 125, 0]);
});

it('behavior: a batch that comes again, longer or in pieces, counts what is new', async () => {
  await world.renew();
  const events = mails(120);
  await countEvents(world.table, events.slice(0, 70), NOW);
  await countEvents(world.table, events, NOW);
  await countEvents(world.table, events.slice(60, 61), NOW);
  await countEvents(world.table, events, NOW);

  expect(await counted()).toEqual([60, 60, 60, 0]);
});

it('behavior: two consumers with the same batch at once count it once', async () => {
  await world.renew();
  await Promise.all([countEvents(world.table, mails(40), NOW), countEvents(world.table, mails(40), NOW)]);

  expect(await counted()).toEqual([20, 20, 20, 0]);
});
