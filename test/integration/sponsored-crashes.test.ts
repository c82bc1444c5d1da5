// Sponsored purchases when the process dies around the payment: nothing is paid twice for one request, and no name that
// was paid for is lost. The crash is the real end of the function at a chosen write.
import type { PrivateKeyAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { newWallet, register, signedMessage } from '#test/support/agents.ts';
import type { ApiClient } from '#test/support/api-client.ts';
import { baseOf } from '#test/support/base-chain.ts';
import { useStack } from '#test/support/test-stack.ts';

const running = useStack();
const lower = (account: PrivateKeyAccount): string => account.address.toLowerCase();

const verified = async (api: ApiClient, key: PrivateKeyAccount): Promise<string> =>
  String((await api.post('/api/auth/verify', await signedMessage(api, key))).body['token']);

/** The function dies around one transaction of a sponsored registration: 0 stores the purchase, 1 makes the account. */
interface Crash {
  readonly after: number;
  readonly effect: 'crash_before' | 'crash_after';
}

let callers = 0;
/** Asks for a name as a client would whose call may end without an answer of ours. */
const ask = async (
  key: PrivateKeyAccount,
  name: string,
  options: { readonly crash?: Crash; readonly headers?: Record<string, string> } = {},
) => {
  const { api, control } = running.current;
  callers += 1;
  const headers = {
    authorization: `Bearer ${await verified(api, key)}`,
    'content-type': 'application/json',
    'x-forwarded-for': `10.78.0.${callers}`,
    ...options.headers,
  };
  // After the sign-in, which commits a transaction of its own.
  if (options.crash) await control.setFaults([{ service: 'dynamodb', operation: 'TransactWriteItems', count: 1, ...options.crash }]);
  const body = JSON.stringify({ auto_basename: true, basename_name: name });
  const response = await fetch(`${api.baseUrl}/api/register`, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** Paid, and no account yet. */
const PAID: Crash = { after: 1, effect: 'crash_before' };
/** Stored, and not sent yet. */
const STORED: Crash = { after: 0, effect: 'crash_after' };

describe.each([
  ['before the purchase is stored', 'unstored', { after: 0, effect: 'crash_before' }],
  ['when the purchase is stored and not sent', 'stored', STORED],
  ['when the name is paid and the account is not made', 'paid', PAID],
  ['when the account is made and nobody was told', 'untold', { after: 1, effect: 'crash_after' }],
] as const)('a crash %s', (_when, slug, crash) => {
  it('is made good by the same request, with one payment', async () => {
    const { api, control } = running.current;
    const base = baseOf(running.current);
    const key = newWallet();
    const name = `crashed-${slug}`;
    expect((await ask(key, name, { crash })).status).toBeGreaterThanOrEqual(500);
    await control.clearFaults();
    // The lane belongs to the dead function until its hold runs out.
    await control.advance(61);
    const again = await ask(key, name);
    // An account that was made before the crash is told of by 409, with its handle.
    const made = slug === 'untold' ? [409, again.body['existing_handle']] : [201, again.body['handle']];
    expect([again.status, name]).toEqual(made);
    expect(await base.buyersOf(name)).toHaveLength(1);
    expect(await base.ownerOf(name)).toBe(lower(key));
    expect((await api.get(`/api/identity/${name}`)).body).toMatchObject({ wallet: lower(key) });
  });
});

describe('a crash between payment and account', () => {
  it('is made good by the schedule when nobody comes back: account, grants and handle are there', async () => {
    const { api, control } = running.current;
    const base = baseOf(running.current);
    const key = newWallet();
    expect((await ask(key, 'nobody-came-back', { crash: PAID })).status).toBeGreaterThanOrEqual(500);
    await control.clearFaults();
    expect((await api.get('/api/identity/nobody-came-back')).status).toBe(404);
    await control.advance(180);
    await control.runSchedules();
    expect((await api.get('/api/identity/nobody-came-back')).body).toMatchObject({
      wallet: lower(key),
      basename: 'nobody-came-back.base.eth',
    });
    const signedIn = await register(api, key);
    expect([signedIn.status, signedIn.body['handle']]).toEqual([200, 'nobody-came-back']);
    expect((await api.get('/api/credits', String(signedIn.body['token']))).body).toMatchObject({ credits: 10 });
    expect(await base.buyersOf('nobody-came-back')).toHaveLength(1);
  });

  it('gives the paid name to a wallet that signs in without asking for it again', async () => {
    const { api, control } = running.current;
    const key = newWallet();
    expect((await ask(key, 'signs-in-later', { crash: PAID })).status).toBeGreaterThanOrEqual(500);
    await control.clearFaults();
    const { status, body } = await register(api, key);
    expect([status, body['handle'], body['source']]).toEqual([201, 'signs-in-later', 'basename']);
  });

  it('does not pay for a second name when the wallet asks for another one meanwhile', async () => {
    const { control } = running.current;
    const base = baseOf(running.current);
    const key = newWallet();
    expect((await ask(key, 'first-wish', { crash: PAID })).status).toBeGreaterThanOrEqual(500);
    await control.clearFaults();
    const second = await ask(key, 'second-wish');
    expect([second.status, second.body['code']]).toEqual([409, 'name_unavailable']);
    expect(second.body['hint']).toContain('first-wish');
    expect(await base.buyersOf('second-wish')).toEqual([]);
    expect((await ask(key, 'first-wish')).status).toBe(201);
  });

  it('gives no handle for a paid name that its owner has given away since', async () => {
    const { api, control } = running.current;
    const base = baseOf(running.current);
    const wallets = [await base.newFundedWallet(), await base.newFundedWallet()];
    for (const [index, key] of wallets.entries()) {
      expect((await ask(key, `given-on-${index}`, { crash: PAID })).status).toBeGreaterThanOrEqual(500);
      await control.clearFaults();
      await base.give(key, newWallet().address, `given-on-${index}`);
    }
    const [asks, waits] = wallets;
    if (!asks || !waits) throw new Error('no wallets');
    expect((await ask(asks, 'given-on-0')).body['code']).toBe('name_unavailable');
    await control.advance(180);
    await control.runSchedules();
    expect((await api.get(`/api/identity/wallet/${lower(waits)}`)).status).toBe(404);
    expect((await register(api, waits)).body).toMatchObject({ handle: lower(waits), source: 'address' });
  });

  it('keeps an Idempotency-Key good: the reply that is stored at last is replayed', async () => {
    const { control } = running.current;
    const base = baseOf(running.current);
    const key = newWallet();
    const headers = { 'idempotency-key': 'one-name-please' };
    expect((await ask(key, 'with-a-key', { crash: PAID, headers })).status).toBeGreaterThanOrEqual(500);
    await control.clearFaults();
    await control.advance(61);
    const made = await ask(key, 'with-a-key', { headers });
    expect([made.status, made.body['handle']]).toEqual([201, 'with-a-key']);
    expect(await ask(key, 'with-a-key', { headers })).toEqual(made);
    expect(await base.buyersOf('with-a-key')).toHaveLength(1);
  });
});

describe('a crash in the lane', () => {
  it('does not hold up the next wallet, and the name left behind is bought as well', async () => {
    const { control } = running.current;
    const base = baseOf(running.current);
    const [left, next] = [newWallet(), newWallet()];
    expect((await ask(left, 'left-behind', { crash: STORED })).status).toBeGreaterThanOrEqual(500);
    await control.clearFaults();
    expect(await base.buyersOf('left-behind')).toEqual([]);
    await control.advance(61);
    expect((await ask(next, 'next-in-line')).status).toBe(201);
    expect(await base.ownerOf('left-behind')).toBe(lower(left));
    expect((await ask(left, 'left-behind')).status).toBe(201);
    expect(await base.buyersOf('left-behind')).toHaveLength(1);
  });
});
