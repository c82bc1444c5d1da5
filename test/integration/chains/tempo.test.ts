// Tempo as MPP uses it: the real mppx client pays the real mppx server in USDC.e, and a wallet needs nothing else.
import { Mppx as Client, tempo as clientTempo } from 'mppx/client';
import { Mppx as Server, tempo as serverTempo } from 'mppx/server';
import { createClient, createPublicClient, createWalletClient, type Hex, http, parseAbi, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { tempo } from 'viem/chains';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TEMPO_USDC } from '#infra/local/chains/networks.ts';
import { startTestChains, type TestChains } from './chains-fixture.ts';

const PATH_USD = '0x20C0000000000000000000000000000000000000';
const TOKEN = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);
const RECIPIENT = '0x000000000000000000000000000000000c0ffee0';

let world: TestChains;
beforeAll(async () => {
  world = await startTestChains();
});
afterAll(() => world.stop());

const transport = () => http(world.chains.urls.tempo);
const reader = () => createPublicClient({ chain: tempo, transport: transport(), pollingInterval: 20, cacheTime: 0 });
const balanceOf = (account: Hex, token: Hex = TEMPO_USDC) =>
  reader().readContract({ address: token, abi: TOKEN, functionName: 'balanceOf', args: [account] });

const transfer = async (key: Hex, to: Hex, amount: bigint) => {
  const wallet = createWalletClient({ account: privateKeyToAccount(key), chain: tempo, transport: transport() });
  const hash = await wallet.writeContract({ address: TEMPO_USDC, abi: TOKEN, functionName: 'transfer', args: [to, amount] });
  return reader().waitForTransactionReceipt({ hash });
};

/** A wallet made on the spot that holds `dollars` in USDC.e and not a thing besides. */
const walletWith = async (dollars: string) => {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  if (dollars !== '0') await transfer(world.chains.faucetPrivateKey, account.address, parseUnits(dollars, 6));
  return { key, account };
};

const serve = () => {
  const charges = Server.create({
    realm: 'local.test',
    secretKey: 'a secret of at least thirty-two bytes!',
    methods: [
      serverTempo.charge({
        currency: TEMPO_USDC,
        recipient: RECIPIENT,
        chainId: world.chains.tempo.chainId,
        getClient: () => createClient({ chain: tempo, transport: transport(), pollingInterval: 20 }),
      }),
    ],
  });
  return async (request: Request): Promise<Response> => {
    const result = await charges.charge({ amount: '1', description: 'registration', scope: 'register' })(request);
    return result.status === 402 ? result.challenge : result.withReceipt(Response.json({ success: true }, { status: 201 }));
  };
};

const payer = (account: ReturnType<typeof privateKeyToAccount>, mode: 'pull' | 'push') => {
  const server = serve();
  return Client.create({
    polyfill: false,
    fetch: async (input, init) => server(new Request(input, init)),
    methods: [
      clientTempo.charge({
        account,
        mode,
        getClient: () => createClient({ account, chain: tempo, transport: transport(), pollingInterval: 20 }),
      }),
    ],
  });
};

test('the currency is USDC.e at its canonical address, and the faucet has plenty', async () => {
  const faucet = privateKeyToAccount(world.chains.faucetPrivateKey).address;
  const read = (functionName: 'name' | 'symbol' | 'decimals') => reader().readContract({ address: TEMPO_USDC, abi: TOKEN, functionName });
  expect(await Promise.all([read('name'), read('symbol'), read('decimals')])).toEqual(['Bridged USDC', 'USDC.e', 6]);
  expect(world.chains.tempo).toEqual({ chainId: 4217, currency: TEMPO_USDC });
  expect(await balanceOf(faucet)).toBeGreaterThan(parseUnits('1000000', 6));
  expect(await balanceOf(faucet, PATH_USD)).toBeGreaterThan(parseUnits('1000000', 6));
});

test('a wallet that holds only USDC.e transfers some and pays the fee in it', async () => {
  const { key, account } = await walletWith('5');
  expect([await balanceOf(account.address, PATH_USD), await reader().getTransactionCount({ address: account.address })]).toEqual([0n, 0]);

  const receipt = await transfer(key, RECIPIENT, 1_000_000n);

  expect(receipt.status).toBe('success');
  const left = await balanceOf(account.address);
  expect(left).toBeLessThan(4_000_000n);
  expect(left).toBeGreaterThan(3_900_000n);
});

test.each(['pull', 'push'] as const)('mppx pays by %s from such a wallet', async (mode) => {
  const { account } = await walletWith('2');
  const before = await balanceOf(RECIPIENT);

  const reply = await payer(account, mode).fetch('https://local.test/api/register', { method: 'POST' });

  expect([reply.status, await reply.json()]).toEqual([201, { success: true }]);
  expect(reply.headers.get('payment-receipt')).toBeTruthy();
  expect(await balanceOf(RECIPIENT)).toBe(before + 1_000_000n);
});

test('mppx refuses a wallet without funds, and no money moves', async () => {
  const { account } = await walletWith('0');
  const before = await balanceOf(RECIPIENT);
  // mppx reports the node's refusal there.
  const printed = vi.spyOn(console, 'error').mockReturnValue();

  const outcome = await payer(account, 'pull')
    .fetch('https://local.test/api/register', { method: 'POST' })
    .then(
      (reply) => reply.status,
      () => 'client refused',
    );

  printed.mockRestore();
  expect(outcome).not.toBe(201);
  expect(await balanceOf(RECIPIENT)).toBe(before);
});
