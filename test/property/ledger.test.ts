// Any sequence of money-moving calls, raced and repeated, against a real table: the book stays clean.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from '#domain/values/wallet.ts';
import { auditBook, readBook } from '#test/support/ledger-audit.ts';
import { LedgerWorld, walletAt } from '#test/support/ledger-world.ts';

const AGENTS = 3;
const RUNS = 25;

let world: LedgerWorld;
beforeAll(async () => {
  world = await LedgerWorld.start();
});
afterAll(() => world.stop());

type Command =
  | { readonly op: 'send' | 'answer'; readonly from: number; readonly to: number }
  | { readonly op: 'read' | 'reject' | 'remove'; readonly pick: number }
  | { readonly op: 'claim' | 'list'; readonly who: number }
  | { readonly op: 'price'; readonly who: number; readonly price: number }
  | { readonly op: 'sweep' };

const agent = fc.integer({ min: 0, max: AGENTS - 1 });

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('send' as const), from: agent, to: agent }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('answer' as const), from: agent, to: agent }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('read' as const), pick: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('reject' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('remove' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('claim' as const), who: agent }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('list' as const), who: agent }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('price' as const), who: agent, price: fc.integer({ min: 1, max: 10 }) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('sweep' as const) }) },
);

/** Commands of one round run at once, each as often as it says; the clock moves between rounds. */
const round = fc.record({
  commands: fc.array(fc.record({ command, times: fc.integer({ min: 1, max: 3 }) }), { minLength: 1, maxLength: 5 }),
  advanceSeconds: fc.constantFrom(0, 60, 3600, 26 * 3600, 49 * 3600),
});

interface Known {
  readonly wallet: Wallet;
  readonly id: string;
}

const run = async (known: Known[], action: Command): Promise<void> => {
  const pickOf = (pick: number): Known | undefined => known[pick % Math.max(1, known.length)];
  if (action.op === 'send' || action.op === 'answer') {
    const [from, to] = [walletAt(action.from), walletAt(action.to)];
    const answered = action.op === 'answer' ? known.find(({ wallet }) => wallet === from)?.id : undefined;
    const { emailId, sent } = await world.send(from, to, answered);
    if (sent.ok) known.push({ wallet: to, id: emailId });
    // An answer to a mail that is deleted at the same moment finds nothing to answer.
    else expect(['not_found', 'try_again']).toContain(sent.code);
    return;
  }
  if (action.op === 'claim') return void (await world.claim(walletAt(action.who)));
  if (action.op === 'list') return void (await world.list(walletAt(action.who)));
  if (action.op === 'price') return void (await world.setPrice(walletAt(action.who), action.price));
  if (action.op === 'sweep') return void (await world.sweepStakes());
  if (action.op !== 'read' && action.op !== 'reject' && action.op !== 'remove') return;
  const picked = pickOf(action.pick);
  if (picked) await world[action.op](picked.wallet, picked.id);
};

describe('the ledger', () => {
  it('property: any calls, raced and repeated, leave a clean book after each round', async () => {
    const property = fc.asyncProperty(fc.array(round, { minLength: 4, maxLength: 12 }), async (rounds) => {
      await world.renew();
      for (let index = 0; index < AGENTS; index += 1) await world.register(index);
      const known: Known[] = [];
      for (const { commands, advanceSeconds } of rounds) {
        const calls = commands.flatMap(({ command: action, times }) => Array.from({ length: times }, () => action));
        await Promise.all(calls.map((action) => run(known, action)));
        expect(auditBook(readBook(await world.items()))).toStrictEqual([]);
        world.now += advanceSeconds;
      }
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  }, 240_000);
});
