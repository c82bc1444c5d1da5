// What a chain has seen, it still knows after the stack was killed, and after it was stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createWalletClient, createPublicClient, erc20Abi, type Hex, http, parseEther, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { tempo } from 'viem/chains';
import { afterAll, expect, test } from 'vitest';
import { TEMPO_USDC } from '#infra/local/chains/networks.ts';
import { type Chains, startChains } from '#infra/local/chains/start-chains.ts';
import { clientsFor, FREE_PORTS } from './chains-fixture.ts';

const DAY_MS = 86_400_000;
const dataDir = mkdtempSync(join(tmpdir(), 'chains-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const customer = privateKeyToAccount(generatePrivateKey()).address;

const tempoReader = (chains: Chains) => createPublicClient({ chain: tempo, transport: http(chains.urls.tempo), pollingInterval: 20 });

async function startElsewhere() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run-chains.ts'), dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { pids, ...chains } = JSON.parse(line) as Omit<Chains, 'pids'> & { pids: number[] };
  return { child, pids, chains: { ...chains, pids: () => pids } as Chains };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function payOnBoth(chains: Chains): Promise<{ base: Hex; tempo: Hex }> {
  const { reader, faucet } = clientsFor(chains, '8453');
  const onBase = await faucet.sendTransaction({ to: customer, value: parseEther('3') });
  await reader.waitForTransactionReceipt({ hash: onBase });
  const account = privateKeyToAccount(chains.faucetPrivateKey);
  const wallet = createWalletClient({ account, chain: tempo, transport: http(chains.urls.tempo) });
  const onTempo = await wallet.writeContract({
    address: TEMPO_USDC,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [customer, parseUnits('4', 6)],
  });
  await tempoReader(chains).waitForTransactionReceipt({ hash: onTempo });
  return { base: onBase, tempo: onTempo };
}

async function expectKnown(chains: Chains, hashes: { base: Hex; tempo: Hex }): Promise<void> {
  const { reader } = clientsFor(chains, '8453');
  expect((await reader.getTransaction({ hash: hashes.base })).value).toBe(parseEther('3'));
  expect((await reader.getTransactionReceipt({ hash: hashes.base })).status).toBe('success');
  expect(await reader.getBalance({ address: customer })).toBe(parseEther('3'));
  const receipt = await tempoReader(chains).getTransactionReceipt({ hash: hashes.tempo });
  expect([receipt.status, receipt.logs[0]?.address]).toEqual(['success', TEMPO_USDC.toLowerCase()]);
  const balance = { address: TEMPO_USDC, abi: erc20Abi, functionName: 'balanceOf', args: [customer] } as const;
  expect(await tempoReader(chains).readContract(balance)).toBe(4_000_000n);
  const logs = await tempoReader(chains).getLogs({ address: TEMPO_USDC, fromBlock: 0n });
  expect(logs.map((log) => log.transactionHash)).toContain(hashes.tempo);
}

test('kill -9, then a plain stop: transactions, receipts, logs, balances and keys are all there again', async () => {
  const first = await startElsewhere();
  const hashes = await payOnBoth(first.chains);
  const saved = (network: string) => readFileSync(join(dataDir, 'chains', `${network}.json`), 'utf8');
  await expect.poll(() => saved('8453').includes(hashes.base) && saved('tempo').includes(hashes.tempo), { timeout: 10_000 }).toBe(true);

  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await expect.poll(() => first.pids.some(isAlive), { timeout: 10_000 }).toBe(false);

  const tomorrow = { nowMs: () => Date.now() + DAY_MS };
  const second = await startChains({ dataDir, ports: FREE_PORTS, clock: tomorrow });
  try {
    await expectKnown(second, hashes);
    expect(second.faucetPrivateKey).toBe(first.chains.faucetPrivateKey);
    expect(second.depositAddress).toBe(first.chains.depositAddress);
    const { timestamp } = await clientsFor(second, '8453').reader.getBlock();
    expect(Number(timestamp) * 1000).toBeGreaterThan(Date.now() + DAY_MS / 2);
    // The very last change, with no time for a regular save.
    await clientsFor(second, '1').node.setBalance({ address: customer, value: 7n });
  } finally {
    await second.stop();
  }
  expect(second.pids().some(isAlive)).toBe(false);

  // A clock that went back does not take the chains with it.
  const third = await startChains({ dataDir, ports: FREE_PORTS, clock: { nowMs: () => Date.now() } });
  try {
    await expectKnown(third, hashes);
    expect(await clientsFor(third, '1').reader.getBalance({ address: customer })).toBe(7n);
    await payOnBoth(third);
  } finally {
    await third.stop();
  }
});

test('a port that something else listens on is refused by name', async () => {
  const running = await startChains({ dataDir, ports: FREE_PORTS, clock: { nowMs: () => Date.now() + DAY_MS } });
  const taken = Number(new URL(running.urls['1']).port);
  const elsewhere = mkdtempSync(join(tmpdir(), 'chains-'));
  try {
    await expect(startChains({ dataDir: elsewhere, ports: { ...FREE_PORTS, '1': taken }, clock: { nowMs: Date.now } })).rejects.toThrow(
      /EADDRINUSE/,
    );
  } finally {
    await running.stop();
    rmSync(elsewhere, { recursive: true });
  }
});
