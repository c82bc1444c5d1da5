// What the ledger costs does not depend on its length: measured by the stack's own meter, with few rows and with many.
import { describe, expect, it } from 'vitest';
import { waveClaimWrites } from '#adapters/dynamo/changes/airdrop-writes.ts';
import { movementWrites } from '#adapters/dynamo/changes/effect-writes.ts';
import { timeId } from '#domain/values/id.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import type { Agent } from '#test/support/agents.ts';
import { LedgerStack } from '#test/support/ledger-stack.ts';
import { walletAt } from '#test/support/ledger-world.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const WAVE = 'wave1-early-bird';
const START = 1_700_000_000;
/** 10,000 rows take the emulator minutes; a thousand show the same. `LEDGER_ROWS=10000` measures those. */
const MANY = Number(process.env['LEDGER_ROWS'] ?? 1000);

const rowsOf = (wallet: Wallet, count: number, from: number) =>
  Array.from({ length: count }, (_, index) => {
    const at = START + from + index;
    const id = timeId(at * 1000, Buffer.from(String(at).padStart(16, '0')));
    const movement = {
      id,
      asset: 'ATTN',
      type: 'refund',
      debit: 'escrow',
      credit: wallet,
      amount: 1n,
      at,
      reference: { emailId: id },
    } as const;
    return movementWrites('', { kind: 'movement', movement });
  }).flat();

const claimsOf = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => {
    const claim = {
      waveId: WAVE,
      wallet: walletAt(from + index),
      handle: walletAt(from + index),
      amount: BigInt(1 + (index % 5000)),
      at: START + index,
    };
    return waveClaimWrites('', { kind: 'wave.claim', claim });
  }).flat();

const itemsOf = (writes: ReturnType<typeof rowsOf>) => writes.map(({ action }) => action.Put?.Item ?? {});

describe('the cost', () => {
  it('behavior: balance, claim, history, score and leaderboard cost the same with few rows and with many', async () => {
    const world = new LedgerStack(running.current);
    const { api, control } = running.current;
    const [alice] = (await world.agents(1)) as [Agent];
    const wallet = alice.wallet as Wallet;
    const measure = async () => {
      // The first call of a key in an hour notes its use.
      await world.attn(alice);
      return {
        balance: await world.cost('GET /api/attn/balance', () => world.attn(alice)),
        history: await world.cost('GET /api/attn/history', () => api.get('/api/attn/history', alice.token)),
        score: await world.cost('GET /api/airdrop/waves', () => api.get('/api/airdrop/waves', alice.token)),
        leaderboard: await world.cost('GET /api/airdrop/{waveId}/leaderboard', () =>
          api.get(`/api/airdrop/${WAVE}/leaderboard`, alice.token),
        ),
        claim: await world.cost('POST /api/attn/claim', () => api.post('/api/attn/claim', {}, alice.token)),
      };
    };
    await world.put(itemsOf([...rowsOf(wallet, 20, 0), ...claimsOf(20, 1000)]));
    const few = await measure();
    await world.put(itemsOf([...rowsOf(wallet, MANY, 20), ...claimsOf(MANY, 2000)]));
    await control.advance(86_400);
    const many = await measure();

    expect(many).toStrictEqual(few);
    process.stdout.write(`${JSON.stringify(many)}\n`);
  }, 600_000);
});
