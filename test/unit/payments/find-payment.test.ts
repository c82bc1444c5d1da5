// Payments by hash as a decision: what is told first when several things are wrong, and what silence of a chain means.
import { describe, expect, it } from 'vitest';
import { findPayment, PAYMENT_AGE_SECONDS_MAX, type PaymentWanted } from '#domain/payments/find-payment.ts';
import { attnFor, creditsFor, decimalText, parseUsdc, parseUsdcNumber } from '#domain/payments/pricing.ts';
import type { FoundTransaction, MinedTransaction, PaymentChainId } from '#domain/ports/payments.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const NOW = 1_800_000_000;
const wallet = (digit: string): Wallet => `0x${digit.repeat(40)}`;
const [OWN, DEPOSIT, OTHER, NOBODY] = ['a', 'd', 'b', '0'].map(wallet) as [Wallet, Wallet, Wallet, Wallet];
const HASH = `0x${'1'.repeat(64)}`;

const mined: MinedTransaction = {
  chainId: 8453,
  from: OWN,
  to: DEPOSIT,
  wei: 10n ** 15n,
  hasSucceeded: true,
  callsContract: false,
  isBoundToChain: true,
  usdc: [],
  blockNumber: 100n,
  blockHash: '0xblock',
  minedAt: NOW - 60,
  confirmations: 2n,
};

const wanted: PaymentWanted = {
  text: HASH,
  wallet: OWN,
  currency: 'ETH',
  least: 10n ** 14n,
  to: DEPOSIT,
  chainIds: [8453, 1],
  isChainNamed: false,
  now: NOW,
};

interface World {
  readonly base?: FoundTransaction;
  readonly ethereum?: FoundTransaction;
  readonly isRedeemed?: boolean;
  readonly bindsPayer?: boolean;
}

const find = async (world: World, changes: Partial<PaymentWanted> = {}) => {
  const found: Partial<Record<PaymentChainId, FoundTransaction>> = { 8453: world.base ?? 'unknown', 1: world.ethereum ?? 'unknown' };
  const outcome = await findPayment(
    {
      chains: { find: async (_hash, chainId) => found[chainId] ?? 'unknown', standsAt: async () => true },
      redeemed: { isRedeemed: async () => world.isRedeemed ?? false, due: async () => [] },
      terms: { depositAddress: DEPOSIT, bindsPayer: world.bindsPayer ?? true, confirmations: { 8453: 2, 1: 3, 84532: 1 } },
    },
    { ...wanted, ...changes },
  );
  return outcome.ok ? outcome.value.amount : outcome.code;
};

describe('what is told first', () => {
  // Each line adds one more fault; the one named is told whatever comes after it.
  const faults: readonly (readonly [string, Partial<MinedTransaction>])[] = [
    ['payer_mismatch', { from: OTHER }],
    ['transaction_too_old', { minedAt: NOW - PAYMENT_AGE_SECONDS_MAX - 1 }],
    ['transaction_not_found', { confirmations: 1n }],
    ['transaction_not_bound', { isBoundToChain: false }],
    ['amount_too_low', { wei: 1n }],
    ['wrong_recipient', { to: OTHER }],
    ['transaction_failed', { hasSucceeded: false }],
  ];
  const upTo = (count: number): MinedTransaction =>
    Object.assign({}, mined, ...faults.slice(0, count).map(([, change]) => change)) as MinedTransaction;

  it.each(faults.map(([code], index) => [code, index + 1] as const))('behavior: %s', async (code, count) => {
    expect(await find({ base: upTo(count) })).toBe(code);
  });

  it('behavior: a hash that is none or was redeemed is never looked for', async () => {
    expect(await find({ base: mined, isRedeemed: true })).toBe('already_redeemed');
    expect(await find({ base: mined, isRedeemed: true }, { text: '0x12' })).toBe('invalid_transaction_hash');
    expect(await find({ base: mined })).toBe(10n ** 15n);
  });
});

describe('silence', () => {
  it('behavior: only when no chain answers is it an outage', async () => {
    expect(await find({ base: 'unavailable', ethereum: 'unavailable' })).toBe('chain_unavailable');
    expect(await find({ base: 'unavailable', ethereum: 'unknown' })).toBe('transaction_not_found');
    expect(await find({ base: 'unavailable', ethereum: { ...mined, chainId: 1, confirmations: 3n } })).toBe(10n ** 15n);
    expect(await find({ base: 'pending' })).toBe('transaction_not_found');
  });
});

describe('who paid', () => {
  it('behavior: the switch lets others pay; money to oneself and out of nowhere is none', async () => {
    expect(await find({ base: { ...mined, from: OTHER }, bindsPayer: false })).toBe(10n ** 15n);
    expect(await find({ base: { ...mined, from: DEPOSIT }, bindsPayer: false })).toBe('wrong_recipient');
    const usdc = { currency: 'USDC', least: 1_000_000n } as const;
    const minted = { ...mined, usdc: [{ from: NOBODY, to: DEPOSIT, units: 5_000_000n }] };
    expect(await find({ base: minted }, usdc)).toBe('wrong_recipient');
  });

  it("behavior: of several transfers in one transaction the wallet's own count, added up", async () => {
    const transfers = [
      { from: OTHER, to: DEPOSIT, units: 9_000_000n },
      { from: OWN, to: DEPOSIT, units: 700_000n },
      { from: OWN, to: OTHER, units: 5_000_000n },
      { from: OWN, to: DEPOSIT, units: 300_000n },
    ];
    expect(await find({ base: { ...mined, usdc: transfers } }, { currency: 'USDC', least: 1_000_000n })).toBe(1_000_000n);
    expect(await find({ base: { ...mined, usdc: transfers } }, { currency: 'USDC', least: 1_000_001n })).toBe('amount_too_low');
  });
});

describe('amounts', () => {
  it('default: wei become credits and USDC becomes ATTN, both floored', () => {
    expect([creditsFor(10n ** 14n), creditsFor(10n ** 18n), creditsFor(10n ** 12n - 1n)]).toEqual([100n, 1_000_000n, 0n]);
    expect([attnFor(1_000_000n), attnFor(2_509_999n), attnFor(9_999n)]).toEqual([100n, 250n, 0n]);
  });

  it('default: decimal text comes out as short as it is exact', () => {
    expect([decimalText(1_500_000n, 6), decimalText(1n, 18), decimalText(0n, 6), decimalText(10n ** 18n, 18)]).toEqual([
      '1.5',
      '0.000000000000000001',
      '0',
      '1',
    ]);
  });

  it.each(['1e3', '0x10', '-1', '1.1234567', '', '.5', '1.', '0', '0.000000'])('error: %s is no amount', (text) => {
    expect(parseUsdc(text)).toMatchObject({ ok: false, code: 'invalid_request' });
  });

  it('default: amounts are read to the sixth decimal', () => {
    expect(parseUsdc('12.345678')).toMatchObject({ value: 12_345_678n });
    expect(parseUsdc('3')).toMatchObject({ value: 3_000_000n });
  });

  it.each([
    [0.1 + 0.2, 300_000n],
    [1.1 + 2.2, 3_300_000n],
    [0.000001, 1n],
    [999_999_999.999999, 999_999_999_999_999n],
  ])('behavior: the number %d is read to the nearest millionth', (amount, units) => {
    expect(parseUsdcNumber(amount)).toMatchObject({ value: units });
  });

  it.each([0.0000001, 5e-324, 0, -1, 1e21, Number.NaN, Number.POSITIVE_INFINITY])('error: the number %d is no amount', (amount) => {
    expect(parseUsdcNumber(amount)).toMatchObject({ ok: false, code: 'invalid_request' });
  });
});
