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

  it('behavior: no description of the service names a price', async () => {
    const [openApi, docs] = [await api().get('/openapi.json'), await api().get('/api/docs')];
    const { paths } = openApi.body as Record<string, unknown>;
    const described = /x-payment-info|"Payment"|payment_required/.exec(JSON.stringify(paths))?.[0];
    const priced = /price_usdc_units|Payment credential"/.exec(JSON.stringify(docs.body['endpoints']))?.[0];

    expect([described, priced]).toEqual([undefined, undefined]);
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
