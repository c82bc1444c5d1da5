// The older USDC attention on the running stack: pricing, whitelist, imported bonds and their ends, and the scores.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Agent } from '#test/support/agents.ts';
import { LedgerStack } from '#test/support/ledger-stack.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const world = (): LedgerStack => new LedgerStack(running.current);
const get = async (path: string, token?: string) => (await running.current.api.get(path, token)).body;
const HOUR = 3600;

const bondOn = async (emailId: string, recipient: Agent, sender: Agent, over: Readonly<Record<string, unknown>> = {}) => {
  const now = await running.current.control.advance(0);
  return {
    email_id: emailId,
    recipient: recipient.handle,
    sender: sender.wallet,
    amount_usdc: '2.5',
    created_at: now,
    deadline: now + 24 * HOUR,
    ...over,
  };
};

describe('the pricing', () => {
  it('default: nothing stored reads as off, the first write fills the defaults, later ones keep what they leave out', async () => {
    const { api } = running.current;
    const [alice] = (await world().agents(1)) as [Agent];

    expect(await get('/api/attention/config', alice.token)).toStrictEqual({ enabled: false });
    expect(await get(`/api/attention/price/${alice.handle}`)).toMatchObject({
      attention_bonds_enabled: false,
      current_price_usdc: 0,
      base_price_usdc: 0,
    });
    const first = { enabled: true, base_price: 0.01, alpha: 0.1, beta: 1, gamma: 0.5, response_window_hours: 168 };
    expect((await api.put('/api/attention/config', { enabled: true }, alice.token)).body).toStrictEqual(first);
    await api.put('/api/attention/config', { enabled: true, base_price: 2, beta: 2 }, alice.token);
    expect(await get('/api/attention/config', alice.token)).toStrictEqual({ ...first, base_price: 2, beta: 2 });
    for (const wrong of [
      { base_price: 0.0009 },
      { base_price: 1001 },
      { alpha: 10.1 },
      { beta: 0.05 },
      { gamma: 1 },
      { response_window_hours: 23 },
    ]) {
      expect((await api.put('/api/attention/config', { enabled: true, ...wrong }, alice.token)).status).toBe(400);
    }
  });

  it('behavior: demand raises the price, answers lower it for their sender, the whitelist takes it away', async () => {
    const { api } = running.current;
    const [alice, bob, carol] = (await world().agents(3)) as [Agent, Agent, Agent];
    await api.put('/api/attention/config', { enabled: true, base_price: 1, alpha: 0.5, beta: 2, gamma: 0.5 }, alice.token);
    const ids = [await world().mail(bob, alice), await world().mail(bob, alice), await world().mail(carol, alice)];
    await world().mail(alice, bob, { in_reply_to: ids[0] });
    await world().mail(alice, bob, { in_reply_to: ids[0] });

    // 1 * (1 + 0.5 * 3) ^ 2 = 6.25; Bob was answered once in two: 6.25 * (1 - 0.5 * 0.5).
    expect(await get(`/api/attention/price/${alice.handle}`)).toMatchObject({
      current_price_usdc: 6.25,
      demand_7d: 3,
      response_window_hours: 168,
    });
    const forBob = `/api/attention/price/${alice.handle}/for/${bob.handle}`;
    expect(await get(forBob)).toMatchObject({ price_usdc: 4.6875, reply_rate: 0.5, whitelisted: false });
    expect(await get(`/api/attention/price/${alice.handle}/for/${carol.handle}`)).toMatchObject({ price_usdc: 6.25, reply_rate: 0 });

    const added = await api.post('/api/attention/whitelist', { sender_handle: bob.handle, note: 'a friend' }, alice.token);
    expect(added.status).toBe(201);
    expect(await get(forBob)).toMatchObject({ price_usdc: 0, whitelisted: true });
    expect((await get('/api/attention/whitelist', alice.token))['whitelist']).toMatchObject([
      { sender_wallet: bob.wallet, note: 'a friend' },
    ]);
    expect((await world().send(bob, alice)).body['attn']).toMatchObject({ staked: false, reason: 'whitelisted' });
    expect((await api.delete(`/api/attention/whitelist/${bob.wallet}`, alice.token)).status).toBe(200);
    expect((await api.delete(`/api/attention/whitelist/${bob.wallet}`, alice.token)).status).toBe(404);
    expect((await api.post('/api/attention/whitelist', { sender_handle: 'nobody-here' }, alice.token)).status).toBe(404);
    expect((await api.post('/api/attention/whitelist', {}, alice.token)).status).toBe(400);

    await running.current.control.advance(7 * 86_400);
    expect(await get(`/api/attention/price/${alice.handle}`)).toMatchObject({ demand_7d: 0, current_price_usdc: 1 });
    expect((await running.current.api.get('/api/attention/price/nobody-here')).status).toBe(404);
  });
});

describe('bonds', () => {
  it('default: recording one is gone, and says where to go', async () => {
    const [alice] = (await world().agents(1)) as [Agent];
    const { status, body, headers } = await running.current.api.post('/api/attention/bond', {}, alice.token);

    expect(status).toBe(410);
    expect(Object.keys(body['migration'] as object).sort()).toStrictEqual(['balance', 'buy_attn', 'docs', 'message', 'settings']);
    expect(headers.get('deprecation')).toBe('@1787875200');
  });

  it('behavior: the import command takes a file over, once, and says which lines it refuses', async () => {
    const [alice, bob] = (await world().agents(2)) as [Agent, Agent];
    const bond = await bondOn(await world().mail(bob, alice), alice, bob);
    const file = join(running.current.stack.data_dir, 'bonds.jsonl');
    writeFileSync(file, `${JSON.stringify(bond)}\n\n${JSON.stringify({ ...bond, recipient: 'nobody-here' })}\n`);
    const importFile = () =>
      promisify(execFile)(process.execPath, ['infra/import-bonds.ts', file, '--data', running.current.stack.data_dir]);
    const failed = await importFile().catch((error: { stdout: string; stderr: string }) => error);

    expect(failed.stdout).toBe('imported 1, there before 0, refused 1\n');
    expect(failed.stderr).toBe('line 3: Recipient not found\n');
    writeFileSync(file, `${JSON.stringify(bond)}\n`);
    expect((await importFile()).stdout).toBe('imported 0, there before 1, refused 0\n');
    expect(
      await world().importBonds([
        { ...bond, amount_usdc: '3' },
        { ...bond, amount_usdc: '1e3' },
        { ...bond, sender: alice.wallet },
      ]),
    ).toMatchObject({ imported: 0, existing: 0, refused: [{ index: 0 }, { index: 1 }, { index: 2 }] });
  });

  it('behavior: bonded mail is listed by deadline, amount and time; answering by either way refunds less 10 %', async () => {
    const { api } = running.current;
    const [alice, bob] = (await world().agents(2)) as [Agent, Agent];
    const ids = [await world().mail(bob, alice), await world().mail(bob, alice), await world().mail(bob, alice)] as [
      string,
      string,
      string,
    ];
    const now = await running.current.control.advance(0);
    const bonds = [
      await bondOn(ids[0], alice, bob, { amount_usdc: '1', deadline: now + 9 * HOUR }),
      await bondOn(ids[1], alice, bob, { amount_usdc: '3.333333', deadline: now + 5 * HOUR }),
      await bondOn(ids[2], alice, bob, { amount_usdc: 2, deadline: now + 7 * HOUR }),
    ];
    expect(await world().importBonds(bonds)).toMatchObject({ imported: 3 });
    const listed = async (query: string) =>
      ((await get(`/api/inbox?bonded=true${query}`, alice.token))['emails'] as { id: string }[]).map(({ id }) => ids.indexOf(id));

    expect(await listed('')).toStrictEqual([2, 1, 0]);
    expect(await listed('&sort=deadline')).toStrictEqual([1, 2, 0]);
    expect(await listed('&sort=bond_amount')).toStrictEqual([1, 2, 0]);
    expect(await listed('&sort=bond_amount&order=asc&offset=1&limit=1')).toStrictEqual([2]);
    expect(await get('/api/inbox?limit=1', alice.token)).toMatchObject({ bonded_count: 3, total: 3 });

    const refund = () => api.post(`/api/attention/reply/${ids[1]}`, {}, alice.token);
    expect((await refund()).body).toStrictEqual({
      success: true,
      email_id: ids[1],
      bond_status: 'refunded',
      refunded_usdc: 3,
      fee_usdc: 0.333333,
    });
    expect((await refund()).status).toBe(404);
    await Promise.all([world().mail(alice, bob, { in_reply_to: ids[2] }), world().mail(alice, bob, { in_reply_to: ids[2] })]);
    expect(await listed('')).toStrictEqual([0]);
    expect(await world().row(alice, ids[2])).toMatchObject({ bond_status: 'refunded', bond_amount: 2, bond_deadline: now + 7 * HOUR });
    expect(await get(`/api/attention/price/${alice.handle}/for/${bob.handle}`)).toMatchObject({ reply_rate: 0.666667 });
    expect(await get('/api/attention/stats', alice.token)).toMatchObject({
      bonds_received: { count: 3, active: 1, refunded: 2, forfeited: 0, total_usdc: 6.333333 },
      bonds_sent: { count: 0 },
      email_activity: { received: 3, sent: 2, received_7d: 3 },
    });
  });

  it.each(['schedule', 'inbox', 'my-bonds'])('behavior: after its deadline the %s forfeits a bond, deleted mail or not', async (by) => {
    const { api, control } = running.current;
    const [alice, bob] = (await world().agents(2)) as [Agent, Agent];
    const ids = [await world().mail(bob, alice), await world().mail(bob, alice)] as [string, string];
    await world().importBonds([await bondOn(ids[0], alice, bob), await bondOn(ids[1], alice, bob)]);
    if (by !== 'inbox') await api.delete(`/api/inbox/${ids[1]}`, alice.token);
    await control.advance(24 * HOUR);
    expect((await api.post(`/api/attention/reply/${ids[0]}`, {}, alice.token)).status).toBe(404);
    if (by === 'schedule') await control.runSchedules();
    if (by === 'inbox') await get('/api/inbox', alice.token);

    const bonds = (await get('/api/attention/my-bonds', alice.token))['bonds'] as { email_id: string; status: string; direction: string }[];
    expect(bonds.map(({ email_id, status }) => [email_id, status]).sort()).toStrictEqual(ids.map((id) => [id, 'forfeited']).sort());
    expect(await get('/api/inbox', alice.token)).toMatchObject({ bonded_count: 0 });
    expect((await get('/api/attention/my-bonds', bob.token))['bonds']).toMatchObject([
      { direction: 'sent', status: 'forfeited' },
      { direction: 'sent', status: 'forfeited' },
    ]);
  });
});

describe('the scores', () => {
  it('behavior: three senders who bond with each other count for less than three who bridge', async () => {
    const [bridged, bonded, ...rest] = (await world().agents(8)) as [Agent, Agent, ...Agent[]];
    const [a, b, c, x, y, z] = rest as [Agent, Agent, Agent, Agent, Agent, Agent];
    let at = 0;
    const bond = async (sender: Agent, recipient: Agent, amount: string) => {
      at += 1;
      const id = `01j${String(at).padStart(23, '0')}`;
      return bondOn(id, recipient, sender, { amount_usdc: amount });
    };
    const bonds = [
      // Bridging: each of A, B, C has one recipient of its own besides.
      await bond(a, bridged, '4'),
      await bond(b, bridged, '1'),
      await bond(c, bridged, '1'),
      await bond(a, x, '1'),
      await bond(b, y, '1'),
      await bond(c, z, '1'),
      // Bonding: X, Y, Z have one recipient, the same.
      await bond(x, bonded, '4'),
      await bond(y, bonded, '1'),
      await bond(z, bonded, '1'),
    ];
    expect(await world().importBonds(bonds)).toMatchObject({ imported: 9, refused: [] });

    // QAF: (2 + 1 + 1)² = 16 over 6 USDC.
    expect(await get(`/api/attention/qaf/${bridged.handle}`)).toMatchObject({
      qaf_value: 16,
      unique_senders: 3,
      total_bonds_usdc: 6,
      breadth_premium: 2.666667,
    });
    // Each pair of A, B, C shares 1 of 3 recipients: alpha 1/3, twice; bonds over 1 + 2/3; (2 + 1 + 1)² / (5/3) = 9.6.
    const bridging = await get(`/api/attention/coqaf/${bridged.handle}`);
    expect(bridging).toMatchObject({ qaf_value: 16, coqaf_value: 9.6, discount_ratio: 0.6, alpha_method: 'jaccard_recipient_overlap' });
    expect(bridging['senders']).toContainEqual({
      sender: a.handle,
      bond_usdc: 4,
      sum_alpha: 0.666667,
      discounted_bond: 2.4,
      connections: 2,
    });
    // X, Y, Z share all they have: alpha 1, twice; 16 / 3.
    expect(await get(`/api/attention/coqaf/${bonded.handle}`)).toMatchObject({
      qaf_value: 16,
      coqaf_value: 5.333333,
      discount_ratio: 0.333333,
    });
    expect(await get(`/api/attention/coqaf/${a.handle}`)).toMatchObject({ qaf_value: 0, coqaf_value: 0, discount_ratio: 1, senders: [] });
    expect((await running.current.api.get('/api/attention/qaf/nobody-here')).status).toBe(404);
  });
});
