// What things cost, and what is bought with how much. Everything is computed in the smallest unit.
import { fail, ok, type Outcome } from '../errors.ts';

/** 1 ETH is 1,000,000 credits; what is less than one credit is rounded away. */
export const WEI_PER_CREDIT = 10n ** 12n;
export const CREDITS_PER_ETH = 1_000_000n;
export const CREDIT_PURCHASE_WEI_MIN = 10n ** 14n;
export const CREDIT_PURCHASE_CREDITS_MIN = 100n;
export const PRO_PRICE_WEI = 8n * 10n ** 15n;
export const ATTN_PER_USDC = 100n;

const USDC_DECIMALS = 6;
const USDC_UNIT = 10n ** 6n;
/** What one ATTN costs: less buys nothing, and nothing is not sold. */
export const ATTN_PURCHASE_UNITS_MIN = USDC_UNIT / ATTN_PER_USDC;
const ETH_DECIMALS = 18;
/** No exponent, no sign, at most six decimals: anything else would be read as another amount somewhere. */
const USDC_AMOUNT = /^(\d{1,15})(?:\.(\d{1,6}))?$/;

/** What Pro brings, in words. */
export const PRO_BENEFITS: readonly string[] = [
  'No service signature under your mail',
  'No hourly limits on external mail',
  'What you pay above the price becomes credits',
];

export const creditsFor = (wei: bigint): bigint => wei / WEI_PER_CREDIT;

/** ATTN for USDC units, floored. */
export const attnFor = (units: bigint): bigint => (units * ATTN_PER_USDC) / USDC_UNIT;

/** An amount in its smallest unit as the shortest decimal text: 1500000 with 6 decimals is `1.5`. */
export const decimalText = (amount: bigint, decimals: number): string => {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
};

export const ethText = (wei: bigint): string => decimalText(wei, ETH_DECIMALS);
export const usdcText = (units: bigint): string => decimalText(units, USDC_DECIMALS);

/** Reads a USDC amount from decimal text; `invalid_request` for anything with exponents or more than six decimals. */
export const parseUsdc = (text: string): Outcome<bigint> => {
  const match = USDC_AMOUNT.exec(text);
  const units = match ? BigInt(match[1] ?? '0') * USDC_UNIT + BigInt((match[2] ?? '').padEnd(USDC_DECIMALS, '0')) : 0n;
  return units > 0n ? ok(units) : fail('invalid_request', { message: 'The USDC amount must be above zero, with at most six decimals' });
};

/** A number is read to the nearest millionth: 0.1 + 0.2 comes as 0.30000000000000004, and nobody has meant the last digits. */
export const parseUsdcNumber = (amount: number): Outcome<bigint> => parseUsdc(amount.toFixed(USDC_DECIMALS));
