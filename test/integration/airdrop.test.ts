// The first wave around its opening, 04:01 Pacific time on 1 April 2026: closed the second before, then open once each.
import { describe, expect, it } from 'vitest';
import type { Agent } from '#test/support/agents.ts';
import { LedgerStack } from '#test/support/ledger-stack.ts';
import { useStack } from '#test/support/test-stack.ts';

const OPENING = Date.parse('2026-04-01T04:01:00-07:00') / 1000;
const WAVE = 'wave1-early-bird';
const running = useStack({ now: OPENING - 3600 });

const claim = (agent: Agent) => running.current.api.post(`/api/airdrop/${WAVE}/claim`, {}, agent.token);
const wave = async (agent: Agent) => (await running.current.api.get(`/api/airdrop/${WAVE}`, agent.token)).body;

describe('the first wave', () => {
  it('behavior: counts what was done, refuses before its second, and pays once from then on', async () => {
    const world = new LedgerStack(running.current);
    const { api, control } = running.current;
    const [alice, bob, idle] = (await world.agents(3)) as [Agent, Agent, Agent];
    const first = await world.mail(alice, bob);
    await api.get(`/api/inbox/${first}`, bob.token);
    await world.mail(bob, alice, { in_reply_to: first });
    await world.mail(bob, alice, { in_reply_to: first });

    // Bob: 1 received, 1 read, 1 answered (twice, counts once), 2 sent, 1 + 1 staked: 1 + 2 + 5 + 2 + 1 = 11.
    const before = await wave(bob);
    expect(before).toMatchObject({ id: WAVE, status: 'preview', claim_opens_at: OPENING, claimed: false, multiplier: 2 });
    expect(before['score']).toMatchObject({
      breakdown: { emails_received: 1, emails_read: 1, emails_replied: 1, emails_sent: 2, attn_staked: 2, days_since_signup: 0 },
      base_score: 11,
      total: 22,
    });
    // Alice: 2 received, 1 sent, 3 staked: half points stay exact.
    expect((await wave(alice))['score']).toMatchObject({ base_score: 4.5, total: 9 });

    const now = await control.advance(0);
    await control.advance(OPENING - 1 - now);
    const early = await claim(bob);
    expect([early.status, early.body['code']]).toStrictEqual([403, 'wave_not_open']);
    await control.advance(1);
    expect((await wave(bob))['status']).toBe('claimable');

    const claims = await Promise.all([claim(bob), claim(bob), claim(bob), claim(bob)]);
    expect(claims.map(({ status }) => status).sort()).toStrictEqual([200, 409, 409, 409]);
    expect(claims.find(({ status }) => status === 200)?.body).toMatchObject({ claimed: true, wave: WAVE, amount: 22 });
    expect((await claim(alice)).body['amount']).toBe(9);
    expect((await claim(idle)).body['code']).toBe('score_zero');
    expect((await wave(bob))['status']).toBe('claimed');

    const { body } = await api.get(`/api/airdrop/${WAVE}/leaderboard`, alice.token);
    expect((body['leaderboard'] as { handle: string; amount: number }[]).map(({ handle, amount }) => [handle, amount])).toStrictEqual([
      [bob.handle, 22],
      [alice.handle, 9],
    ]);
    const history = (await api.get('/api/attn/history', bob.token)).body['transactions'] as { type: string; amount: number }[];
    expect(history.filter(({ type }) => type === 'airdrop').map(({ amount }) => amount)).toStrictEqual([22]);
    expect((await api.get('/api/airdrop/no-such-wave', alice.token)).status).toBe(404);
    expect((await api.post('/api/airdrop/no-such-wave/claim', {}, alice.token)).status).toBe(404);
  });
});
