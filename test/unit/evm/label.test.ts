// Which names are taken: the interface's pattern and ENSIP-15, compared with viem's full implementation of the latter.
import fc from 'fast-check';
import { normalize } from 'viem/ens';
import { describe, expect, it } from 'vitest';
import { parseLabel } from '#adapters/evm/label.ts';

const PATTERN = /^[a-z0-9][a-z0-9_-]*[a-z0-9]$/;

const isUnchangedByEnsip15 = (label: string): boolean => {
  try {
    return normalize(label) === label;
  } catch {
    return false;
  }
};

describe('parseLabel', () => {
  it.each([
    ['alice', 'alice'],
    ['alice.base.eth', 'alice'],
    ['a-1', 'a-1'],
    ['0x0', '0x0'],
    ['a'.repeat(32), 'a'.repeat(32)],
    ['a----b', undefined],
    ['ab', undefined],
    ['a'.repeat(33), undefined],
    ['Alice', undefined],
    ['al_ice', undefined],
    ['-alice', undefined],
    ['alice-', undefined],
    ['xn--abc', undefined],
    ['alice.eth', undefined],
    ['alice.base.eth.base.eth', undefined],
    ['älice', undefined],
    ['alice\n', undefined],
    ['', undefined],
    ['.base.eth', undefined],
  ])('%j gives %j', (text, label) => {
    expect(parseLabel(text)).toBe(label);
  });

  it('agrees with the pattern and full ENSIP-15 normalisation', () => {
    const characters = fc.constantFrom(...'abcxn019-_-_');
    fc.assert(
      fc.property(fc.string({ unit: characters, minLength: 1, maxLength: 34 }), (text) => {
        const expected = text.length >= 3 && text.length <= 32 && PATTERN.test(text) && isUnchangedByEnsip15(text);
        expect(parseLabel(text) === text).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
