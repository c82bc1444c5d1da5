// What an operator may switch off: payments by call, and that a payment counts only for the wallet that made it.
import { describe, expect, it } from 'vitest';
import { newAgent } from '#test/support/agents.ts';
import { fund, payEth } from '#test/support/chain-money.ts';
import { useStack } from '#test/support/test-stack.ts';

const stack = useStack({ settings: { MPP_ENABLED: 'false', PAYMENT_BIND_SENDER: 'false' } });
const api = () => stack.current.api;

describe('MPP_ENABLED=false', () => {
  it('default: calls need a Bearer, and no refusal carries a challenge', async () => {
    const agent = await newAgent(api());
    for (let sent = 0; sent < 10; sent += 1) {
      await api().post('/api/send', { to: `${sent}@example.com`, subject: 's', body: 'b' }, agent.token);
    }
    await stack.current.control.advance(3600);
    const refusals = [
      await api().post('/api/send', { to: 'a@example.com', subject: 's', body: 'b' }),
      await api().post('/api/register', {}),
      await api().post('/api/send', { to: 'a@example.com', subject: 's', body: 'b' }, agent.token),
    ];

    expect(refusals.map(({ status, body }) => [status, body['code'], body['challenge']])).toEqual([
      [401, 'unauthorized', undefined],
      [401, 'unauthorized', undefined],
      [402, 'out_of_credits', undefined],
    ]);
    expect(refusals.map(({ headers }) => headers.get('www-authenticate'))).toEqual(['Bearer', 'Bearer', null]);
    expect(refusals.map(({ headers }) => headers.get('x-payment-challenge'))).toEqual([null, null, null]);
  });

  it('behavior: no description of the service speaks of such payments', async () => {
    const replies = [await api().get('/openapi.json'), await api().get('/api/docs'), await api().get('/llms.txt')];
    const word = /x-payment-info|price_usdc_units|payment_required|"Payment"|Payment credential|MPP|USDC\.e|can be paid/;
    const told = replies.map(({ bytes }) => word.exec(Buffer.from(bytes).toString())?.[0]);

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(told).toEqual([undefined, undefined, undefined]);
  });
});

describe('PAYMENT_BIND_SENDER=false', () => {
  it('default: a payment out of another wallet counts, once, for whoever redeems it first', async () => {
    const [payer, agent, late] = [await newAgent(api()), await newAgent(api()), await newAgent(api())];
    await fund(stack.current.stack, '8453', payer.key);
    const tx_hash = await payEth(stack.current.stack, '8453', payer.key, stack.current.stack.deposit_address, '0.001');

    expect((await api().post('/api/credits/buy', { tx_hash }, agent.token)).body['balance']).toBe(1010);
    expect((await api().post('/api/credits/buy', { tx_hash }, late.token)).status).toBe(409);
  });
});
