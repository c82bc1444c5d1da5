// Payments by transaction hash on the running stack and its chains: what they buy, what is refused, and what a chain that
// changes its mind takes back.
import { encodeFunctionData, type Hex, keccak256, parseAbi, parseEther, parseUnits, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { USDC, WALLET_FACTORY } from '#infra/local/chains/networks.ts';
import { type Agent, newAgent } from '#test/support/agents.ts';
import { chainOf, confirm, fund, payEth, payUsdc, TOKEN } from '#test/support/chain-money.ts';
import { useStack } from '#test/support/test-stack.ts';

const stack = useStack();

const api = () => stack.current.api;
const deposit = () => stack.current.stack.deposit_address;

/** An agent whose wallet holds 1 ETH and 1,000 USDC on a chain. */
const fundedAgent = async (network: '8453' | '1' | '84532' = '8453'): Promise<Agent> => {
  const agent = await newAgent(api());
  await fund(stack.current.stack, network, agent.key);
  return agent;
};

const buyCredits = (agent: Agent, hash: string, headers: Record<string, string> = {}) =>
  api().post('/api/credits/buy', { tx_hash: hash }, agent.token, headers);

const creditsOf = async (agent: Agent) => (await api().get('/api/credits', agent.token)).body['credits'];

const historyOf = async (agent: Agent) =>
  (await api().get('/api/credits/history', agent.token)).body['transactions'] as {
    type: string;
    amount: number;
    balance_after: number;
    tx_hash: string | null;
  }[];

describe('credits', () => {
  it.each([
    ['8453', 'base'],
    ['1', 'ethereum'],
  ] as const)('default: ETH on %s becomes credits, once', async (network, chain) => {
    const agent = await fundedAgent(network);
    const hash = await payEth(stack.current.stack, network, agent.key, deposit(), '0.0123456789');

    const first = await buyCredits(agent, hash);
    const second = await buyCredits(agent, hash);

    expect([first.status, first.body]).toEqual([
      200,
      { success: true, purchased: 12_345, eth_spent: '0.0123456789', balance: 12_355, tx_hash: hash, chain },
    ]);
    expect([second.status, second.body['code']]).toEqual([409, 'already_redeemed']);
    expect(await creditsOf(agent)).toBe(12_355);
    expect((await historyOf(agent))[0]).toMatchObject({ type: 'purchase', amount: 12_345, balance_after: 12_355, tx_hash: hash, chain });
  });

  it('behavior: twenty redemptions at once give one 200 and nineteen 409, and an upper-case hash is the same hash', async () => {
    const agent = await fundedAgent();
    const hash = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.001');

    const replies = await Promise.all(Array.from({ length: 20 }, () => buyCredits(agent, hash)));
    const upper = await buyCredits(agent, `0x${hash.slice(2).toUpperCase()}`);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(upper.status).toBe(409);
    expect(await creditsOf(agent)).toBe(1010);
  });

  it('behavior: a repeated request with an Idempotency-Key gets its reply again', async () => {
    const agent = await fundedAgent();
    const hash = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.001');
    const headers = { 'idempotency-key': 'a purchase' };

    const first = await buyCredits(agent, hash, headers);
    const second = await buyCredits(agent, hash, headers);

    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('behavior: purchases and a message one right after the other stand in the history with the balances that were told', async () => {
    const agent = await fundedAgent();
    const hashes: string[] = [];
    for (const eth of ['0.0001', '0.0002', '0.0003', '0.0004']) {
      hashes.push(await payEth(stack.current.stack, '8453', agent.key, deposit(), eth));
    }

    const told: unknown[] = [];
    for (const hash of hashes) told.unshift((await buyCredits(agent, hash)).body['balance']);
    const sent = await api().post('/api/send', { to: 'x@example.com', subject: 's', body: 'b' }, agent.token);

    expect(sent.status).toBe(200);
    expect(told).toEqual([1010, 610, 310, 110]);
    expect((await historyOf(agent)).map(({ balance_after }) => balance_after)).toEqual([1009, ...told, 10]);
  });

  it("error: someone else's payment is refused, and its payer can still redeem it", async () => {
    const [payer, thief] = [await fundedAgent(), await newAgent(api())];
    const hash = await payEth(stack.current.stack, '8453', payer.key, deposit(), '0.001');

    const stolen = await buyCredits(thief, hash);
    const own = await buyCredits(payer, hash);

    expect([stolen.status, stolen.body['code']]).toEqual([400, 'payer_mismatch']);
    expect(stolen.body['hint']).toBeTruthy();
    expect(own.status).toBe(200);
  });

  it('error: hashes that are none, unknown, too small, to others, failed, or not confirmed yet', async () => {
    const agent = await fundedAgent();
    const { wallet, node, reader } = chainOf(stack.current.stack, '8453');
    const small = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.00009');
    const astray = await payEth(stack.current.stack, '8453', agent.key, agent.wallet.replace(/.$/, '0'), '0.001');
    // A transfer of tokens that are not there reverts; the gas is given so that it is sent all the same.
    const data = encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [deposit() as Hex, parseUnits('5000', 6)] });
    const failed = await wallet(agent.key).sendTransaction({ to: USDC['8453'], data, gas: 200_000n });
    await reader.waitForTransactionReceipt({ hash: failed });
    await node.mine({ blocks: 3 });

    const outcomes = [];
    for (const hash of ['0x12', `0x${'g'.repeat(64)}`, keccak256(toHex('nothing')), small, astray, failed]) {
      const { status, body } = await buyCredits(agent, hash);
      outcomes.push([status, body['code']]);
    }

    expect(outcomes).toEqual([
      [400, 'invalid_transaction_hash'],
      [400, 'invalid_transaction_hash'],
      [404, 'transaction_not_found'],
      [400, 'amount_too_low'],
      [400, 'wrong_recipient'],
      [400, 'transaction_failed'],
    ]);
    expect((await buyCredits(agent, small)).body).toMatchObject({ sent: '0.00009', required: '0.0001' });
    expect(await creditsOf(agent)).toBe(10);
  });

  it('error: a payment out of a contract wallet is told to pay straight', async () => {
    const agent = await fundedAgent();
    const { wallet, reader, node } = chainOf(stack.current.stack, '8453');
    const factory = parseAbi([
      'function create(address owner, bytes32 salt) returns (address)',
      'function walletOf(address owner, bytes32 salt) view returns (address)',
    ]);
    const salt = keccak256('0x07');
    const made = await wallet(agent.key).writeContract({
      address: WALLET_FACTORY,
      abi: factory,
      functionName: 'create',
      args: [agent.key.address, salt],
    });
    await reader.waitForTransactionReceipt({ hash: made });
    const address = await reader.readContract({
      address: WALLET_FACTORY,
      abi: factory,
      functionName: 'walletOf',
      args: [agent.key.address, salt],
    });
    await node.setBalance({ address, value: parseEther('1') });
    const execute = parseAbi(['function execute(address to, uint256 value, bytes data) returns (bytes)']);
    const hash = await wallet(agent.key).writeContract({
      address,
      abi: execute,
      functionName: 'execute',
      args: [deposit() as Hex, parseEther('0.001'), '0x'],
    });
    await confirm(stack.current.stack, '8453', hash);

    const reply = await buyCredits(agent, hash);

    expect([reply.status, reply.body['code']]).toEqual([400, 'wrong_recipient']);
    expect(reply.body['hint']).toMatch(/straight from the wallet/);
  });

  it('behavior: a transaction that names no chain works once, on the chain its payer names, though both hold its hash', async () => {
    const agent = await fundedAgent();
    await fund(stack.current.stack, '1', agent.key);
    const signed = await agent.key.signTransaction({
      type: 'legacy',
      to: deposit() as Hex,
      value: parseEther('0.001'),
      gas: 21_000n,
      gasPrice: 5_000_000_000n,
      nonce: 0,
    });
    const hashes = await Promise.all(
      (['8453', '1'] as const).map((network) =>
        chainOf(stack.current.stack, network).reader.sendRawTransaction({ serializedTransaction: signed }),
      ),
    );
    for (const [index, network] of (['8453', '1'] as const).entries()) await confirm(stack.current.stack, network, hashes[index] as Hex);
    expect(hashes[0]).toBe(hashes[1]);

    const tx_hash = hashes[0] as Hex;
    const onChain = (chain_id?: number) => api().post('/api/credits/buy', { tx_hash, chain_id }, agent.token);
    const unnamed = await onChain();
    const replies = await Promise.all([onChain(8453), onChain(1), onChain(8453), onChain(1)]);
    const later = await onChain(1);

    expect([unnamed.status, unnamed.body['code']]).toEqual([400, 'transaction_not_bound']);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(later.status).toBe(409);
    expect(await creditsOf(agent)).toBe(1010);
  });
});

describe('Pro', () => {
  it('default: 0.008 ETH makes an account Pro, and what is above becomes credits', async () => {
    const agent = await fundedAgent('1');
    const hash = await payEth(stack.current.stack, '1', agent.key, deposit(), '0.0085');

    const reply = await api().post('/api/pro/buy', { tx_hash: hash, chain_id: 1 }, agent.token);
    const again = await api().post('/api/pro/buy', { tx_hash: hash }, agent.token);
    const asCredits = await buyCredits(agent, hash);

    expect([reply.status, reply.body]).toMatchObject([
      200,
      { success: true, tier: 'pro', eth_spent: '0.0085', bonus_credits: 500, chain: 'ethereum' },
    ]);
    expect([again.status, again.body['code']]).toEqual([400, 'already_pro']);
    expect([asCredits.status, asCredits.body['code']]).toEqual([409, 'already_redeemed']);
    expect((await api().get('/api/pro/status', agent.token)).body).toMatchObject({ is_pro: true });
    expect((await historyOf(agent))[0]).toMatchObject({ type: 'pro_bonus', amount: 500, balance_after: 510 });
  });

  it('behavior: two payments at once make an account Pro with one of them', async () => {
    const agent = await fundedAgent();
    const first = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.008');
    const second = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.008');

    const replies = await Promise.all([first, second].map((hash) => api().post('/api/pro/buy', { tx_hash: hash }, agent.token)));
    const spare = replies[0]?.status === 200 ? second : first;

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await buyCredits(agent, spare)).body['purchased']).toBe(8000);
  });

  it('error: too little, and a payment on another chain than the one named', async () => {
    const agent = await fundedAgent();
    const little = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.007');
    const elsewhere = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.008');

    const tooLittle = await api().post('/api/pro/buy', { tx_hash: little }, agent.token);
    const wrongChain = await api().post('/api/pro/buy', { tx_hash: elsewhere, chain_id: 1 }, agent.token);

    expect([tooLittle.status, tooLittle.body]).toMatchObject([400, { code: 'amount_too_low', required: '0.008', sent: '0.007' }]);
    expect([wrongChain.status, wrongChain.body['code']]).toEqual([404, 'transaction_not_found']);
  });
});

describe('ATTN', () => {
  it('default: USDC on Base becomes 100 ATTN a dollar, floored, for what the chain shows', async () => {
    const agent = await fundedAgent();
    const hash = await payUsdc(stack.current.stack, '8453', agent.key, deposit(), '2.505');

    const reply = await api().post('/api/attn/buy', { tx_hash: hash, amount_usdc: 2.5 }, agent.token);

    expect([reply.status, reply.body]).toMatchObject([
      200,
      { usdc_spent: '2.505', attn_received: 250, rate: 100, balance: 300, tx_hash: hash },
    ]);
    expect((await api().get('/api/attn/balance', agent.token)).body['balance']).toBe(300);
  });

  it('error: less on chain than claimed, a token that only looks like USDC, and an amount below a millionth', async () => {
    const agent = await fundedAgent();
    const hash = await payUsdc(stack.current.stack, '8453', agent.key, deposit(), '1');
    const { node, reader, faucet } = chainOf(stack.current.stack, '8453');
    const fake = privateKeyToAccount(generatePrivateKey()).address;
    await node.setCode({ address: fake, bytecode: (await reader.getCode({ address: USDC['8453'] })) ?? '0x' });
    const nothing = await faucet.writeContract({
      address: fake,
      abi: TOKEN,
      functionName: 'transfer',
      args: [deposit() as Hex, 0n],
      gas: 100_000n,
    });
    await reader.waitForTransactionReceipt({ hash: nothing });
    await node.mine({ blocks: 3 });

    const less = await api().post('/api/attn/buy', { tx_hash: hash, amount_usdc: 1.1 + 2.2 }, agent.token);
    const imitation = await api().post('/api/attn/buy', { tx_hash: nothing, amount_usdc: 1 }, agent.token);
    const dust = await api().post('/api/attn/buy', { tx_hash: hash, amount_usdc: 0.0000001 }, agent.token);

    expect([less.status, less.body]).toMatchObject([400, { code: 'amount_too_low', required: '3.3', sent: '1' }]);
    expect([imitation.status, imitation.body['code']]).toEqual([400, 'wrong_recipient']);
    expect([dust.status, dust.body['code']]).toEqual([400, 'invalid_request']);
  });
});

describe('USDC with a mail', () => {
  const send = (from: Agent, to: Agent, hash: string, amount: string) =>
    api().post('/api/send', { to: to.email, subject: 'Paid', body: 'With money.', usdc_payment: { tx_hash: hash, amount } }, from.token);

  it('default: a transfer to the recipient is verified, reported with what the chain shows, and works once', async () => {
    const [sender, recipient] = [await fundedAgent('84532'), await newAgent(api())];
    const hash = await payUsdc(stack.current.stack, '84532', sender.key, recipient.wallet, '3.25');

    const first = await send(sender, recipient, hash, '3');
    const second = await send(sender, recipient, hash, '3');

    expect([first.status, first.body['usdc_payment']]).toEqual([
      200,
      { verified: true, amount: '3.25', tx_hash: hash, network: 'base-sepolia' },
    ]);
    expect([second.status, second.body['code']]).toEqual([409, 'already_redeemed']);
    expect((await api().get('/api/inbox', recipient.token)).body['total']).toBe(1);
  });

  it('error: paid to someone else, by someone else, less than claimed, or for mail to the outside: nothing is sent', async () => {
    const [sender, recipient, other] = [await fundedAgent('84532'), await newAgent(api()), await fundedAgent('84532')];
    const toOther = await payUsdc(stack.current.stack, '84532', sender.key, other.wallet, '1');
    const byOther = await payUsdc(stack.current.stack, '84532', other.key, recipient.wallet, '1');
    const little = await payUsdc(stack.current.stack, '84532', sender.key, recipient.wallet, '1');

    const replies = [
      await send(sender, recipient, toOther, '1'),
      await send(sender, recipient, byOther, '1'),
      await send(sender, recipient, little, '2'),
    ];
    const outside = await api().post(
      '/api/send',
      { to: 'a@example.com', subject: 'x', body: 'x', usdc_payment: { tx_hash: little, amount: '1' } },
      sender.token,
    );

    expect(replies.map(({ status, body }) => [status, body['code']])).toEqual([
      [400, 'wrong_recipient'],
      [400, 'payer_mismatch'],
      [400, 'amount_too_low'],
    ]);
    expect([outside.status, outside.body['code']]).toEqual([400, 'wrong_recipient']);
    expect((await api().get('/api/inbox', recipient.token)).body['total']).toBe(0);
    expect((await send(sender, recipient, little, '1')).status).toBe(200);
  });
});

describe('a chain that changes its mind', () => {
  it('behavior: credits of a payment that a reorganisation dropped are taken back, to zero at worst, and the hash is free again', async () => {
    const agent = await fundedAgent();
    const { reader, node } = chainOf(stack.current.stack, '8453');
    const hash = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.001');
    expect((await buyCredits(agent, hash)).body['balance']).toBe(1010);
    const { blockNumber } = await reader.getTransactionReceipt({ hash });
    const isThere = () =>
      reader.getTransactionReceipt({ hash }).then(
        () => true,
        () => false,
      );

    // The chain goes on by itself: a block that comes in between makes the depth too small by one.
    for (let tries = 0; tries < 5 && (await isThere()); tries += 1) {
      const depth = Number((await reader.getBlockNumber()) - blockNumber) + 1;
      await node.request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
    }
    await stack.current.control.runSchedules();

    expect(await isThere()).toBe(false);
    expect(await creditsOf(agent)).toBe(10);
    expect((await historyOf(agent))[0]).toMatchObject({ type: 'reorg', amount: -1000, balance_after: 10, tx_hash: hash });
    expect((await buyCredits(agent, hash)).status).toBe(404);
  });

  it('behavior: a payment that stands is left alone by every look', async () => {
    const agent = await fundedAgent();
    const hash = await payEth(stack.current.stack, '8453', agent.key, deposit(), '0.001');
    expect((await buyCredits(agent, hash)).status).toBe(200);

    for (const seconds of [0, 700, 3700, 86_500]) {
      await stack.current.control.advance(seconds);
      await stack.current.control.runSchedules();
    }

    // The session is a day old by now.
    expect(await creditsOf(await newAgent(api(), agent.key))).toBe(1010);
  });
});
