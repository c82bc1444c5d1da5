// Purchases as a decision: what is too little to buy anything with.
import { describe, expect, it } from 'vitest';
import { ok } from '#domain/errors.ts';
import type { Account } from '#domain/identity/account.ts';
import { buyAttn, type BuyPorts } from '#domain/payments/buy.ts';
import type { Change } from '#domain/ports/changes.ts';
import type { MinedTransaction } from '#domain/ports/payments.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { systemIds } from '#runtime/ids.ts';

const NOW = 1_800_000_000;
const OWN: Wallet = `0x${'a'.repeat(40)}`;
const DEPOSIT: Wallet = `0x${'d'.repeat(40)}`;
const TOKEN: Wallet = `0x${'c'.repeat(40)}`;

const transferOf = (units: bigint): MinedTransaction => ({
  chainId: 8453,
  from: OWN,
  to: TOKEN,
  wei: 0n,
  hasSucceeded: true,
  callsContract: true,
  isBoundToChain: true,
  usdc: [{ from: OWN, to: DEPOSIT, units }],
  blockNumber: 100n,
  blockHash: '0xblock',
  minedAt: NOW,
  confirmations: 2n,
});

const buy = async (units: bigint, amountUsdc: number) => {
  const committed: Change[] = [];
  const account = { wallet: OWN, credits: 0n, attn: 50n } as Account;
  const ports = {
    chains: { find: async () => transferOf(units) },
    redeemed: { isRedeemed: async () => false },
    terms: { depositAddress: DEPOSIT, bindsPayer: true, confirmations: { 8453: 2, 1: 3, 84532: 1 } },
    accounts: { byWallet: async () => account },
    committer: {
      commit: async (changes: readonly Change[]) => {
        committed.push(...changes);
        return ok(undefined);
      },
    },
    ids: systemIds,
  } as unknown as BuyPorts;
  const request = { account, txHash: `0x${'1'.repeat(64)}`, amountUsdc, now: NOW, commitReply: async () => [] };
  return { outcome: await buyAttn(ports, request), committed };
};

describe('ATTN for USDC', () => {
  it('default: one ATTN costs 0.01 USDC, whatever less was claimed', async () => {
    const { outcome, committed } = await buy(10_000n, 0.004);

    expect(outcome).toMatchObject({ ok: true, value: { attnBalance: 51n, payment: { attn: 1n } } });
    expect(committed.map(({ kind }) => kind)).toStrictEqual(['payment.redeem', 'movement']);
  });

  it.each([
    [9_000n, 0.009, '0.009'],
    [9_999n, 0.000_001, '0.009999'],
  ])('error: %s units buy nothing, so they are refused and the hash is not used up', async (units, amountUsdc, sent) => {
    const { outcome, committed } = await buy(units, amountUsdc);

    expect(outcome).toMatchObject({ ok: false, code: 'amount_too_low', detail: { fields: { required: '0.01', sent } } });
    expect(committed).toStrictEqual([]);
  });
});
