// A chain that does not answer is an outage and never an answer: dead addresses, overloaded providers, nodes of other chains.
import { expect, it } from 'vitest';
import { createChainClients } from '#adapters/evm/chain-clients.ts';
import { createPaymentChains } from '#adapters/evm/payment-chains.ts';
import { startBrokenRpc } from '#test/fixtures/broken-rpc.ts';

const HASH = `0x${'12'.repeat(32)}` as const;
const DEAD = 'http://127.0.0.1:1';

const chainsAt = (rpcUrls: readonly string[], chainId = 8453) =>
  createPaymentChains(async () => createChainClients({ [chainId]: { rpcUrls } }));

it('behavior: no address, a dead one, an overloaded node and a node of another chain are all unavailable', async () => {
  const overloaded = await startBrokenRpc(8453, { code: -32005, message: 'limit exceeded' });
  const foreign = await startBrokenRpc(1, { code: -32000, message: 'never asked' });
  try {
    const asked = [chainsAt([]), chainsAt([DEAD]), chainsAt([overloaded.url]), chainsAt([foreign.url])];

    expect(await Promise.all(asked.map((chains) => chains.find(HASH, 8453)))).toEqual(asked.map(() => 'unavailable'));
    expect(await Promise.all(asked.map((chains) => chains.standsAt(8453, 1n, '0x')))).toEqual(asked.map(() => 'unavailable'));
  } finally {
    await Promise.all([overloaded.stop(), foreign.stop()]);
  }
});
