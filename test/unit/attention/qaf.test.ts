// QAF and CO-QAF against tables worked out by hand.
import { describe, expect, it } from 'vitest';
import { recipientPrice, replyRate, senderPrice } from '#domain/attention/price.ts';
import { coQafOf, jaccard, qafOf } from '#domain/attention/qaf.ts';

const sender = (name: string, usdc: number, recipients: readonly string[]) => ({
  sender: name,
  bondMicros: BigInt(Math.round(usdc * 1_000_000)),
  recipients: new Set(recipients),
});

describe('QAF', () => {
  it.each([
    [[], 0],
    [[9], 9],
    [[4, 1, 1], 16],
    [[1, 1, 1, 1], 16],
    [[0.25, 0.25], 1],
  ])('default: bonds of %j give %s', (bonds, expected) => {
    expect(qafOf(bonds.map((usdc) => sender('x', usdc, [])))).toBeCloseTo(expected, 9);
  });
});

describe('Jaccard similarity', () => {
  it.each([
    [[], [], 0],
    [['a'], [], 0],
    [['a'], ['b'], 0],
    [['a'], ['a'], 1],
    [['a', 'b'], ['a', 'c'], 1 / 3],
    [['a', 'b', 'c'], ['a', 'b'], 2 / 3],
  ])('default: of %j and %j is %s', (a, b, expected) => {
    expect(jaccard(new Set(a), new Set(b))).toBeCloseTo(expected, 12);
  });
});

describe('CO-QAF', () => {
  it('default: senders without overlap keep their whole weight', () => {
    const { qaf, coqaf, discountRatio, senders } = coQafOf([sender('a', 4, ['x']), sender('b', 1, ['y']), sender('c', 1, ['z'])]);

    expect([qaf, coqaf, discountRatio]).toStrictEqual([16, 16, 1]);
    expect(senders[0]).toStrictEqual({ sender: 'a', bondUsdc: 4, sumAlpha: 0, discountedBond: 4, connections: 0 });
  });

  it('default: three that bridge lose two fifths, three that bond two thirds', () => {
    const bridging = coQafOf([sender('a', 4, ['t', 'x']), sender('b', 1, ['t', 'y']), sender('c', 1, ['t', 'z'])]);
    const bonding = coQafOf([sender('a', 4, ['t']), sender('b', 1, ['t']), sender('c', 1, ['t'])]);

    expect(bridging.coqaf).toBeCloseTo(9.6, 12);
    expect(bonding.coqaf).toBeCloseTo(16 / 3, 12);
  });

  it('behavior: of two close and one stranger, only the close ones are discounted', () => {
    const { senders, coqaf } = coQafOf([sender('a', 1, ['t', 'u']), sender('b', 1, ['t', 'u']), sender('c', 1, ['v'])]);

    expect(senders.map(({ sumAlpha, discountedBond, connections }) => [sumAlpha, discountedBond, connections])).toStrictEqual([
      [1, 0.5, 1],
      [1, 0.5, 1],
      [0, 1, 0],
    ]);
    expect(coqaf).toBeCloseTo((2 * Math.SQRT1_2 + 1) ** 2, 12);
  });

  it('default: without bonds the score is 0 and the ratio 1', () => {
    expect(coQafOf([])).toStrictEqual({ qaf: 0, coqaf: 0, discountRatio: 1, senders: [] });
  });
});

describe('prices', () => {
  const config = { enabled: true, basePrice: 0.01, alpha: 0.1, beta: 1, gamma: 0.5, responseWindowHours: 168 };

  it.each([
    [0, 1, 0.01],
    [10, 1, 0.02],
    [10, 2, 0.04],
    [30, 0.5, 0.02],
  ])('default: demand %s with beta %s costs %s', (demand, beta, expected) => {
    expect(recipientPrice({ ...config, beta }, demand)).toBeCloseTo(expected, 12);
  });

  it('default: a sender who is always answered pays half, and never less than the floor', () => {
    expect(senderPrice(config, 10, 1)).toBeCloseTo(0.01, 12);
    expect(senderPrice(config, 0, 1)).toBeCloseTo(0.005, 12);
    expect(senderPrice(config, 10, 0)).toBeCloseTo(0.02, 12);
  });

  it.each([
    [0, 0, 0],
    [0, 3, 0],
    [4, 1, 0.25],
    [2, 3, 1],
  ])('default: %s sent and %s answered is a rate of %s', (sent, replied, expected) => {
    expect(replyRate({ sent, replied })).toBe(expected);
  });
});
