// The breaker: five hard bounces among the last fifty messages.
import { describe, expect, it } from 'vitest';
import { isPaused, withBounce } from '#domain/mail/standing.ts';
import type { Standing } from '#domain/ports/mail.ts';

const standing = (sent: number, bouncedAt: readonly number[]): Standing => ({ sent, bouncedAt, version: 1 });

describe('the standing of a sender', () => {
  it.each([
    ['no bounces', standing(100, []), false],
    ['four in the window', standing(100, [60, 70, 80, 90]), false],
    ['five in the window', standing(100, [51, 70, 80, 90, 100]), true],
    ['the fifth just out of it', standing(100, [50, 70, 80, 90, 100]), false],
    ['five of the first five', standing(5, [1, 2, 3, 4, 5]), true],
  ])('default: %s', (_name, of, paused) => {
    expect(isPaused(of)).toBe(paused);
  });

  it('behavior: remembers five bounces at most and forgets those out of the window', () => {
    expect(withBounce(standing(100, [10, 60]))).toEqual([60, 100]);
    expect(withBounce(standing(100, [96, 97, 98, 99, 100]))).toEqual([97, 98, 99, 100, 100]);
  });
});
