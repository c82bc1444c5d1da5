// Calls paid one by one: the real mppx client pays for registrations and sends on the stack's own Tempo, and whatever is
// replayed, raced, tampered with, cheaper or expired gets 402 and causes nothing.
import { Challenge, Credential } from 'mppx';
import { Mppx as Client, tempo as clientTempo } from 'mppx/client';
import {
  createClient,
  createPublicClient,
  createWalletClient,
  fromRlp,
  type Hex,
  http,
  parseAbi,
  parseUnits,
  type PrivateKeyAccount,
  toRlp,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { tempo } from 'viem/chains';
import { describe, expect, it } from 'vitest';
import { newAgent, newWallet, register } from '#test/support/agents.ts';
import { useStack } from '#test/support/test-stack.ts';

const stack = useStack();
const api = () => stack.current.api;

const USDC = '0x20C000000000000000000000b9537d11c60E8b50';
const TOKEN = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);
const PRICES = { register: 1_000_000n, send: 10_000n };

const transport = () => http(stack.current.stack.chains['tempo']?.rpc_url ?? '');
const reader = () => createPublicClient({ chain: tempo, transport: transport(), pollingInterval: 20, cacheTime: 0 });

const transfer = async (from: PrivateKeyAccount, to: string, units: bigint): Promise<Hex> => {
  const wallet = createWalletClient({ account: from, chain: tempo, transport: transport() });
  const hash = await wallet.writeContract({ address: USDC, abi: TOKEN, functionName: 'transfer', args: [to as Hex, units] });
  await reader().waitForTransactionReceipt({ hash });
  return hash;
};

/** A wallet that holds nothing but a few dollars of USDC.e. */
const payer = async (dollars = '5'): Promise<PrivateKeyAccount> => {
  const account = newWallet();
  await transfer(privateKeyToAccount(stack.current.stack.faucet_private_key as Hex), account.address, parseUnits(dollars, 6));
  return account;
};

/** What the operator has been paid so far. */
const takings = () =>
  reader().readContract({ address: USDC, abi: TOKEN, functionName: 'balanceOf', args: [stack.current.stack.deposit_address as Hex] });

const methodsFor = (account: PrivateKeyAccount, mode: 'pull' | 'push') => [
  clientTempo.charge({
    account,
    mode,
    getClient: () => createClient({ account, chain: tempo, transport: transport(), pollingInterval: 20 }),
  }),
];

const clientOf = (account: PrivateKeyAccount, mode: 'pull' | 'push' = 'pull') =>
  Client.create({ polyfill: false, methods: methodsFor(account, mode) });

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const url = (path: string) => stack.current.stack.base_url + path;

/** The header that pays for a challenge of `path`; in push mode the money has moved when it is there. */
const credentialFor = async (account: PrivateKeyAccount, path: string, mode: 'pull' | 'push' = 'pull'): Promise<string> => {
  const response = await fetch(url(path), post({}));
  expect(response.status).toBe(402);
  return clientOf(account, mode).createCredential(response);
};

const paid = (path: string, credential: string, body: unknown = {}) =>
  api().call('POST', path, { body, headers: { authorization: credential, 'x-forwarded-for': '10.99.0.1' } });

const isRegistered = async (account: PrivateKeyAccount) => (await api().get(`/api/identity/wallet/${account.address}`)).status === 200;

describe('the challenge', () => {
  it('default: without a credential the price is told in two headers and the body, before the body is looked at', async () => {
    const reply = await api().call('POST', '/api/send', { raw: 'this is no JSON' });

    const header = reply.headers.get('www-authenticate') ?? '';
    const challenge = Challenge.deserialize(header);
    expect([reply.status, reply.body['code']]).toEqual([402, 'payment_required']);
    expect(reply.headers.get('x-payment-challenge')).toBe(header);
    expect(reply.body['challenge']).toBe(header);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(challenge).toMatchObject({ method: 'tempo', intent: 'charge', realm: stack.current.stack.mail_domain });
    expect(challenge.request).toMatchObject({ amount: '10000', currency: USDC });
  });

  it('behavior: out of credits carries it too, a bad Bearer does not', async () => {
    const agent = await newAgent(api());
    const statuses = [];
    let last = await api().post('/api/send', { to: 'a@example.com', subject: '1', body: 'x' }, agent.token);
    for (let sent = 1; sent < 11 && last.status === 200; sent += 1) {
      // Ten an hour is the limit of a free handle; the eleventh comes an hour later.
      if (sent === 10) await stack.current.control.advance(3600);
      last = await api().post('/api/send', { to: 'a@example.com', subject: String(sent), body: 'x' }, agent.token);
      statuses.push(last.status);
    }
    const refused = await api().post('/api/register', {}, 'no-token');

    expect([last.status, last.body['code']]).toEqual([402, 'out_of_credits']);
    expect(last.headers.get('www-authenticate')).toMatch(/^Payment /);
    expect(last.body).toMatchObject({ credits: 0 });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});

describe.each(['pull', 'push'] as const)('paid by %s', (mode) => {
  it('default: a registration costs a dollar, and the account belongs to the payer', async () => {
    const account = await payer();
    const before = await takings();

    const response = await clientOf(account, mode).fetch(url('/api/register'), post({}));
    const body = (await response.json()) as Record<string, unknown>;

    expect([response.status, body['wallet'], body['handle']]).toEqual([201, account.address.toLowerCase(), account.address.toLowerCase()]);
    expect(response.headers.get('payment-receipt')).toBeTruthy();
    expect(response.headers.get('cache-control')).toContain('private');
    expect((await takings()) - before).toBe(PRICES.register);
    expect((await api().get('/api/credits', String(body['token']))).body['credits']).toBe(10);
  });

  it('default: a send makes the account of a payer who has none, takes a cent and no credit', async () => {
    const [account, friend] = [await payer(), await newAgent(api())];
    const before = await takings();

    const response = await clientOf(account, mode).fetch(
      url('/api/send'),
      post({ to: friend.email, subject: 'Paid', body: 'For a cent.' }),
    );
    const external = await clientOf(account, mode).fetch(
      url('/api/send'),
      post({ to: 'a@example.com', subject: 'Out', body: 'For a cent.' }),
    );
    const body = (await response.json()) as Record<string, unknown>;

    expect([response.status, external.status]).toEqual([200, 200]);
    expect(body['from']).toBe(`${account.address.toLowerCase()}@${stack.current.stack.mail_domain}`);
    expect((await takings()) - before).toBe(2n * PRICES.send);
    const inbox = (await api().get('/api/inbox', friend.token)).body['emails'] as { from_addr: string }[];
    expect(inbox.map((row) => row.from_addr)).toEqual([body['from']]);
    const agent = await newAgent(api(), account);
    expect((await api().get('/api/credits', agent.token)).body['credits']).toBe(10);
  });
});

describe('paid registrations and sends at their edges', () => {
  it('behavior: a name that the service buys is charged first, and counts on no limit', async () => {
    const before = await takings();

    for (let round = 0; round < 3; round += 1) {
      const label = `paidfor${Date.now().toString(36)}${round}`;
      const reply = await paid('/api/register', await credentialFor(await payer(), '/api/register'), {
        auto_basename: true,
        basename_name: label,
      });
      expect([reply.status, reply.body['handle']]).toEqual([201, label]);
    }

    expect((await takings()) - before).toBe(3n * PRICES.register);
  });

  it('behavior: three sends of one payer at once are three messages and three charges', async () => {
    const [account, friend] = [await payer(), await newAgent(api())];
    await register(api(), account);
    const before = await takings();
    const credentials = [];
    for (let each = 0; each < 3; each += 1) credentials.push(await credentialFor(account, '/api/send', 'push'));

    const replies = await Promise.all(
      credentials.map((credential, index) => paid('/api/send', credential, { to: friend.email, subject: String(index), body: 'x' })),
    );

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([(await api().get('/api/inbox', friend.token)).body['total'], (await takings()) - before]).toEqual([3, 3n * PRICES.send]);
  });

  it('behavior: an Idempotency-Key gives a paid reply again, with another credential and without another charge', async () => {
    const [account, friend] = [await payer(), await newAgent(api())];
    const before = await takings();
    const send = async () =>
      api().call('POST', '/api/send', {
        body: { to: friend.email, subject: 'Once', body: 'x' },
        headers: { authorization: await credentialFor(account, '/api/send'), 'idempotency-key': 'paid once' },
      });

    const [first, second] = [await send(), await send()];

    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    expect([second.headers.get('idempotent-replayed'), (await takings()) - before]).toEqual(['true', PRICES.send]);
  });

  it('behavior: with nothing in the account, a message to the outside is still paid for by its call', async () => {
    const account = await payer();
    const outside = (subject: string) =>
      credentialFor(account, '/api/send').then((credential) => paid('/api/send', credential, { to: 'a@example.com', subject, body: 'x' }));
    expect((await outside('first')).status).toBe(200);
    const agent = await newAgent(api(), account);
    await stack.current.control.advance(3600);
    for (let sent = 0; sent < 10; sent += 1)
      await api().post('/api/send', { to: 'a@example.com', subject: 'credit', body: 'x' }, agent.token);
    await stack.current.control.advance(3600);

    const last = await outside('last');

    expect([last.status, last.body['credits']]).toEqual([200, 0]);
    const history = (await api().get('/api/credits/history', agent.token)).body['transactions'] as { amount: number }[];
    expect(history.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  });
});

describe('what gets 402 and causes nothing', () => {
  it('behavior: a credential that is sent again, also five times at once, works once', async () => {
    const [first, second] = [await payer(), await payer()];
    const before = await takings();
    const replayed = await credentialFor(first, '/api/register');
    const raced = await credentialFor(second, '/api/register', 'push');

    const once = await paid('/api/register', replayed);
    const again = await paid('/api/register', replayed);
    const race = await Promise.all(Array.from({ length: 5 }, () => paid('/api/register', raced)));

    expect([once.status, again.status, again.body['code']]).toEqual([201, 402, 'payment_required']);
    expect(again.headers.get('www-authenticate')).toMatch(/^Payment /);
    expect(race.map(({ status }) => status).sort()).toEqual([201, 402, 402, 402, 402]);
    expect((await takings()) - before).toBe(2n * PRICES.register);
  });

  it("error: a send's credential does not register, and neither does one with other terms written into it", async () => {
    const account = await payer();
    const before = await takings();
    const cheap = await credentialFor(account, '/api/send');
    const parsed = Credential.deserialize(await credentialFor(account, '/api/register'));
    const tampered = Credential.serialize({
      ...parsed,
      challenge: { ...parsed.challenge, request: { ...parsed.challenge.request, amount: '1' } },
    } as never);

    const replies = [
      await paid('/api/register', cheap),
      await paid('/api/register', tampered),
      await paid('/api/register', 'Payment bm8gSlNPTg'),
    ];

    expect(replies.map(({ status, body }) => [status, body['code']])).toEqual(Array.from({ length: 3 }, () => [402, 'payment_required']));
    expect([await isRegistered(account), (await takings()) - before]).toEqual([false, 0n]);
  });

  it('error: a payer without funds, a transaction that nobody knows, and a plain transfer', async () => {
    const [poor, rich] = [newWallet(), await payer()];
    const before = await takings();
    const [unfunded, pushed] = [
      await credentialFor(poor, '/api/register').catch(() => undefined),
      Credential.deserialize(await credentialFor(rich, '/api/register')),
    ];
    const plain = await transfer(rich, stack.current.stack.deposit_address, PRICES.register);
    const withHash = (hash: string) => Credential.serialize({ ...pushed, payload: { type: 'hash', hash } } as never);

    const replies = [await paid('/api/register', withHash(`0x${'12'.repeat(32)}`)), await paid('/api/register', withHash(plain))];
    if (unfunded !== undefined) replies.push(await paid('/api/register', unfunded));

    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 402));
    expect([await isRegistered(poor), await isRegistered(rich), (await takings()) - before]).toEqual([false, false, PRICES.register]);
  });

  it('error: refusals come before the charge, and the same credential can be used afterwards', async () => {
    const account = await payer();
    const before = await takings();
    const credential = await credentialFor(account, '/api/send');
    const friend = await newAgent(api());

    const unknown = await paid('/api/send', credential, { to: `nobody@${stack.current.stack.mail_domain}`, subject: 'x', body: 'x' });
    const malformed = await paid('/api/send', credential, { to: friend.email });
    const uncharged = (await takings()) - before;
    const sent = await paid('/api/send', credential, { to: friend.email, subject: 'x', body: 'x' });

    expect([unknown.status, malformed.status, uncharged, sent.status]).toEqual([404, 400, 0n, 200]);
    expect((await takings()) - before).toBe(PRICES.send);
  });

  it('error: a registered payer is not charged for a second registration', async () => {
    const account = await payer();
    await register(api(), account);
    const before = await takings();

    const reply = await paid('/api/register', await credentialFor(account, '/api/register'));

    expect([reply.status, reply.body['code'], (await takings()) - before]).toEqual([409, 'wallet_already_registered', 0n]);
  });

  it('error: a challenge ends after five minutes', async () => {
    const account = await payer();
    const credential = await credentialFor(account, '/api/register');
    await stack.current.control.advance(301);

    const reply = await paid('/api/register', credential);

    expect([reply.status, await isRegistered(account)]).toEqual([402, false]);
  });
});

describe('a crash right after the charge', () => {
  const crashAfterCharge = () =>
    stack.current.control.setFaults([{ service: 'dynamodb', operation: 'TransactWriteItems', after: 1, count: 1, effect: 'crash_before' }]);

  it('behavior: the same credential is resumed without a second charge', async () => {
    const account = await payer();
    const before = await takings();
    const credential = await credentialFor(account, '/api/register');

    await crashAfterCharge();
    const crashed = await fetch(url('/api/register'), { ...post({}), headers: { authorization: credential } });
    await stack.current.control.clearFaults();
    const chargedOnce = (await takings()) - before;
    const resumed = await paid('/api/register', credential);

    expect([crashed.status >= 500, chargedOnce, resumed.status]).toEqual([true, PRICES.register, 201]);
    expect(resumed.headers.get('payment-receipt')).toBeTruthy();
    expect([(await takings()) - before, (await paid('/api/register', credential)).status]).toEqual([PRICES.register, 402]);
  });

  it('behavior: so is a new credential of the same payer, for the same operation', async () => {
    const [account, friend] = [await payer(), await newAgent(api())];
    const before = await takings();
    const body = { to: friend.email, subject: 'Twice', body: 'Paid once.' };
    const credential = await credentialFor(account, '/api/send');

    await crashAfterCharge();
    const crashed = await fetch(url('/api/send'), {
      ...post(body),
      headers: { authorization: credential, 'content-type': 'application/json' },
    });
    await stack.current.control.clearFaults();
    const resumed = await paid('/api/send', await credentialFor(account, '/api/send'), body);

    expect([crashed.status >= 500, resumed.status, (await takings()) - before]).toEqual([true, 200, PRICES.send]);
    expect((await api().get('/api/inbox', friend.token)).body['total']).toBe(1);
  });
});

describe('who pays is proven before anything is given', () => {
  /** A credential whose transaction was rewritten by whoever presents it. */
  const rewritten = (credential: string, change: (fields: Hex[]) => Hex[]): string => {
    const parsed = Credential.deserialize<{ signature: Hex }>(credential);
    const fields = fromRlp(`0x${parsed.payload.signature.slice(4)}`, 'hex') as Hex[];
    const signature = `0x76${toRlp(change(fields)).slice(2)}`;
    return Credential.serialize({ ...parsed, payload: { ...parsed.payload, signature } } as never);
  };
  const FEE_PAYER_OR_SENDER = 11;
  const claimedSender = (victim: Hex) => (fields: Hex[]) => fields.with(FEE_PAYER_OR_SENDER, victim);
  /** A key of the thief's own, said to be one of the victim's (keychain signatures, both versions). */
  const claimedKeychain = (victim: Hex, version: '03' | '04') => (fields: Hex[]) =>
    fields.with(-1, `0x${version}${victim.slice(2)}${fields.at(-1)?.slice(2)}`);

  it('error: a stranger who claims to be the payer gets neither the call that is owed to him nor his token', async () => {
    const [victim, thief] = [await payer(), await payer()];
    const credential = await credentialFor(victim, '/api/register');
    await stack.current.control.setFaults([
      { service: 'dynamodb', operation: 'TransactWriteItems', after: 1, count: 1, effect: 'crash_before' },
    ]);
    await fetch(url('/api/register'), { ...post({}), headers: { authorization: credential } });
    await stack.current.control.clearFaults();
    await stack.current.control.advance(60);
    const forged = [claimedSender(victim.address), claimedKeychain(victim.address, '03'), claimedKeychain(victim.address, '04')];

    const replies = [];
    for (const forgery of forged)
      replies.push(await paid('/api/register', rewritten(await credentialFor(thief, '/api/register'), forgery)));
    const unchanged = await paid(
      '/api/register',
      rewritten(await credentialFor(thief, '/api/register'), (fields) => fields),
    );
    const own = await paid('/api/register', await credentialFor(victim, '/api/register'));

    expect(replies.map(({ status, body }) => [status, body['token']])).toEqual(forged.map(() => [402, undefined]));
    expect([unchanged.status, unchanged.body['wallet']]).toEqual([201, thief.address.toLowerCase()]);
    expect([own.status, own.body['wallet']]).toEqual([201, victim.address.toLowerCase()]);
  });
});
