// Stakes: what a mail costs, and the four ends.
import { describe, expect, it } from 'vitest';
import {
  earnedToday,
  earningTime,
  leftUnderCap,
  settleStake,
  type Stake,
  STAKE_LIFE_SECONDS,
  type StakeEnd,
  stakeMovement,
  stakeTerms,
} from '#domain/ledger/stakes.ts';
import { ALICE, BOB, ids, NOON, TODAY } from './fixture.ts';

const mail = { toSelf: false, whitelisted: false, inRecipientsThread: false, receivePrice: 5n, balance: 50n };

describe('stakeTerms', () => {
  it.each([
    ['a cold mail stakes the receive price', {}, 5n, 'cold_email'],
    ['a mail that takes the last ATTN is staked', { balance: 5n }, 5n, 'cold_email'],
    ['a reply in a thread of the recipient stakes 1', { inRecipientsThread: true }, 1n, 'reply_thread'],
    ['a reply with the last ATTN is staked', { inRecipientsThread: true, balance: 1n }, 1n, 'reply_thread'],
    ['a sender with too little goes unstaked', { balance: 4n }, 0n, 'insufficient_balance'],
    ['a reply without any ATTN goes unstaked', { inRecipientsThread: true, balance: 0n }, 0n, 'insufficient_balance'],
    ['mail to oneself is free', { toSelf: true, whitelisted: true }, 0n, 'self'],
    ['a whitelisted sender is free', { whitelisted: true, inRecipientsThread: true }, 0n, 'whitelisted'],
  ])('default: %s', (_name, over, amount, reason) => {
    expect(stakeTerms({ ...mail, ...over })).toStrictEqual({ amount, reason });
  });
});

describe('a stake', () => {
  it('default: is held for 48 hours', () => {
    expect(STAKE_LIFE_SECONDS).toBe(172_800);
  });
});

describe('stakeMovement', () => {
  it('default: goes from the sender into escrow and names its mail', () => {
    expect(stakeMovement(ids, BOB, 5n, 'e1', NOON)).toStrictEqual({
      id: `${NOON} stake e1`,
      asset: 'ATTN',
      type: 'stake',
      debit: BOB,
      credit: 'escrow',
      amount: 5n,
      at: NOON,
      reference: { emailId: 'e1' },
    });
  });
});

describe('the earn cap', () => {
  it('default: yesterday does not count', () => {
    expect(earnedToday({ day: TODAY - 1, earned: 200n }, NOON)).toBe(0n);
    expect(leftUnderCap({ day: TODAY - 1, earned: 200n }, NOON)).toBe(200n);
  });

  it('behavior: an income never counts on a day before one that was counted already', () => {
    const times = [TODAY - 1, TODAY, TODAY + 1].map((day) => earningTime({ day, earned: 7n }, NOON));

    expect(times).toStrictEqual([NOON, NOON, (TODAY + 1) * 86_400]);
  });

  it.each([
    [0n, 200n],
    [199n, 1n],
    [200n, 0n],
    [201n, 0n],
  ])('default: %s earned today leaves %s', (earned, left) => {
    expect(earnedToday({ day: TODAY, earned }, NOON)).toBe(earned);
    expect(leftUnderCap({ day: TODAY, earned }, NOON)).toBe(left);
  });
});

const STAKED_AT = NOON - 60;
const stake: Stake = { amount: 10n, status: 'pending', expiresAt: STAKED_AT + STAKE_LIFE_SECONDS, staker: BOB };
const settle = (end: StakeEnd, earned = 0n) =>
  settleStake({ ids, emailId: 'e1', recipient: ALICE, stake, end, earnings: { day: TODAY, earned }, now: NOON });

const id = `next ${NOON} after ${STAKED_AT} stake e1`;
const leg = { id, asset: 'ATTN', debit: 'escrow', at: NOON, reference: { emailId: 'e1' } };
const refund = (amount: bigint) => ({ ...leg, type: 'refund', credit: BOB, amount });
const income = (type: string, amount: bigint) => ({ ...leg, type, credit: ALICE, amount });

describe('settleStake', () => {
  it.each(['read', 'deleted'] as const)('default: %s gives all of it back', (end) => {
    expect(settle(end)).toStrictEqual({ status: 'refunded', income: 0n, refund: 10n, movements: [refund(10n)] });
  });

  it('default: rejected pays the recipient', () => {
    expect(settle('rejected')).toStrictEqual({ status: 'transferred', income: 10n, refund: 0n, movements: [income('reject_income', 10n)] });
  });

  it('default: expired pays the recipient', () => {
    expect(settle('expired')).toStrictEqual({ status: 'expired', income: 10n, refund: 0n, movements: [income('expiry_income', 10n)] });
  });

  it('behavior: the last room under the cap is used to the point', () => {
    expect(settle('rejected', 190n).movements).toStrictEqual([income('reject_income', 10n)]);
    expect(settle('rejected', 193n)).toStrictEqual({
      status: 'transferred',
      income: 7n,
      refund: 3n,
      movements: [income('reject_income', 7n), refund(3n)],
    });
  });

  it.each(['rejected', 'expired'] as const)('behavior: %s at a full cap gives all of it back', (end) => {
    expect(settle(end, 200n)).toStrictEqual({ status: 'refunded', income: 0n, refund: 10n, movements: [refund(10n)] });
  });

  it.each(['refunded', 'transferred', 'expired'] as const)('error: a %s stake cannot end again', (status) => {
    const again = () =>
      settleStake({
        ids,
        emailId: 'e1',
        recipient: ALICE,
        stake: { ...stake, status },
        end: 'read',
        earnings: { day: 0, earned: 0n },
        now: NOON,
      });

    expect(again).toThrow(`settling a ${status} stake`);
  });
});
