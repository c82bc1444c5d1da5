// The moved clock, cron expressions and filter patterns: what the stack decides by itself.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installClock, MovableClock } from '#infra/local/clock.ts';
import { nextCronMs } from '#infra/local/cron.ts';
import { matchesAny } from '#infra/local/event-pattern.ts';

const clockFile = (): string => join(mkdtempSync(join(tmpdir(), 'clock-')), 'clock.json');

test('behavior: the clock keeps its move over a restart and never goes back', () => {
  const file = clockFile();
  const year2040 = 2_208_988_800;
  expect(new MovableClock(file, year2040).advance(3600)).toBeGreaterThanOrEqual(year2040 + 3600);
  const again = new MovableClock(file, 1_000_000_000);
  expect(again.advance(0)).toBeGreaterThanOrEqual(year2040 + 3600);
  expect(() => again.advance(-1)).toThrow('never goes backwards');
});

test('behavior: a clock tells when its own time is later than the one asked for', () => {
  const file = clockFile();
  const isLater = (startUnix?: number): boolean => new MovableClock(file, startUnix).isLaterThanAsked;
  expect([isLater(2_208_988_800), isLater(1_000_000_000), isLater(), isLater(2_300_000_000)]).toEqual([false, true, false, false]);
});

test.each(['', '{"offset_', '{}', 'null'])('error: a clock file that holds "%s" is named, and not taken for a new folder', (text) => {
  const file = clockFile();
  writeFileSync(file, text);
  expect(() => new MovableClock(file)).toThrow(`${file} is broken`);
});

test('behavior: Date follows an installed clock in all its forms, and given times stay what they are', () => {
  const clock = new MovableClock(clockFile(), 2_208_988_800);
  const restore = installClock(clock);
  try {
    expect(new Date().getUTCFullYear()).toBe(2040);
    expect(new Date(Date.now()).getUTCFullYear()).toBe(2040);
    expect(Date()).toContain('2040');
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    expect(new Date() instanceof Date).toBe(true);
  } finally {
    restore();
  }
  expect(new Date().getUTCFullYear()).toBeLessThan(2040);
});

test('default: cron expressions name their next minute', () => {
  const from = Date.UTC(2026, 0, 31, 23, 58, 30);
  expect(nextCronMs('0/15 * * * ? *', from)).toBe(Date.UTC(2026, 1, 1, 0, 0));
  expect(nextCronMs('30 9 ? * MON-FRI *', from)).toBe(Date.UTC(2026, 1, 2, 9, 30));
  expect(nextCronMs('0 0 1 JAN,JUL ? *', from)).toBe(Date.UTC(2026, 6, 1));
  expect(() => nextCronMs('* *', from)).toThrow('no six fields');
});

test('default: filter patterns compare as Lambda does', () => {
  const record = { eventName: 'INSERT', dynamodb: { NewImage: { type: { S: 'mail' }, size: { N: '5' } } }, count: 5 };
  const matches = (pattern: unknown): boolean => matchesAny([pattern], record);
  expect(matchesAny([], record)).toBe(true);
  expect(matches({ eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: { type: { S: [{ prefix: 'ma' }] } } } })).toBe(true);
  expect(matches({ eventName: ['REMOVE'] })).toBe(false);
  expect(matches({ dynamodb: { OldImage: { type: { S: [{ exists: false }] } } } })).toBe(true);
  expect(matches({ count: [{ numeric: ['>', 4, '<=', 5] }] })).toBe(true);
  expect(matches({ eventName: [{ 'anything-but': ['INSERT'] }] })).toBe(false);
});
