// What attempts make of a delivery, and what rounds of them make of an endpoint.
import { describe, expect, it } from 'vitest';
import type { Answer, Delivery, Webhook } from '#domain/ports/webhooks.ts';
import { abandoned, afterAttempt, DELIVERY_WAITS_SECONDS, newDelivery, waitAfter } from '#domain/webhooks/attempts.ts';
import { FAILING_MAX_SECONDS, hasFailedTooLong, healthOf } from '#domain/webhooks/health.ts';

const NOW = 1_790_000_000;
const WALLET = `0x${'ab'.repeat(20)}` as const;
const fresh = newDelivery(
  { wallet: WALLET, webhookId: 'w', deliveryId: '01kx0000000000000000000000' },
  { type: 'message.received', emailId: 'e', body: '{}', createdAt: NOW },
);
const answered = (status: number, extra: Partial<Extract<Answer, { kind: 'answered' }>> = {}): Answer => ({
  kind: 'answered',
  status,
  excerpt: 'x',
  latencyMs: 12,
  ...extra,
});
const timedOut: Answer = { kind: 'failed', error: 'no answer within 10 seconds', latencyMs: 10_000 };

const failTimes = (count: number): Delivery => {
  let delivery = fresh;
  for (let i = 0; i < count; i += 1) delivery = afterAttempt(delivery, answered(500), delivery.nextAttemptAt ?? NOW);
  return delivery;
};

describe('afterAttempt', () => {
  it.each([200, 201, 204, 299])('default: %i delivers', (status) => {
    expect(afterAttempt(fresh, answered(status), NOW)).toMatchObject({
      state: 'delivered',
      attempts: 1,
      status,
      error: null,
      nextAttemptAt: null,
      sweepAt: null,
    });
  });

  it.each([199, 301, 302, 308, 400, 401, 404, 429, 500, 503])('behavior: %i is tried again', (status) => {
    expect(afterAttempt(fresh, answered(status), NOW)).toMatchObject({
      state: 'pending',
      attempts: 1,
      status,
      error: expect.stringContaining(String(status)),
    });
  });

  it('behavior: eight attempts with growing waits, each within a fifth of its length, then dead', () => {
    let delivery = fresh;
    let now = NOW;
    for (const wait of DELIVERY_WAITS_SECONDS.slice(1)) {
      delivery = afterAttempt(delivery, timedOut, now);
      const waited = (delivery.nextAttemptAt ?? 0) - now;
      expect(waited).toBeGreaterThanOrEqual(Math.floor(wait * 0.8));
      expect(waited).toBeLessThanOrEqual(Math.ceil(wait * 1.2));
      now = delivery.nextAttemptAt ?? 0;
    }
    delivery = afterAttempt(delivery, timedOut, now);

    expect(DELIVERY_WAITS_SECONDS).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
    expect(delivery).toMatchObject({ state: 'dead', attempts: 8, status: null, error: timedOut.error, nextAttemptAt: null, sweepAt: null });
  });

  it('behavior: different deliveries wait differently', () => {
    const waits = Array.from({ length: 50 }, (_, index) => waitAfter({ id: `delivery ${index}` }, 2));

    expect(new Set(waits).size).toBeGreaterThan(20);
  });

  it('behavior: Retry-After stretches a wait, never shortens it, and ends at a day', () => {
    expect(afterAttempt(fresh, answered(503, { retryAfterSeconds: 400 }), NOW).nextAttemptAt).toBe(NOW + 400);
    expect(afterAttempt(failTimes(3), answered(503, { retryAfterSeconds: 1 }), NOW).nextAttemptAt).toBeGreaterThan(NOW + 1000);
    expect(afterAttempt(fresh, answered(429, { retryAfterSeconds: 10 ** 9 }), NOW).nextAttemptAt).toBe(NOW + 86_400);
  });

  it('behavior: the sweep leaves short waits to the queue for a while and takes long ones itself', () => {
    const short = failTimes(1);
    const long = failTimes(3);

    expect((short.sweepAt ?? 0) - (short.nextAttemptAt ?? 0)).toBe(180);
    expect(long.sweepAt).toBe(long.nextAttemptAt);
  });

  it('behavior: 410 ends a delivery, and an ordered one has one attempt', () => {
    expect(afterAttempt(fresh, answered(410), NOW)).toMatchObject({ state: 'dead', status: 410 });
    expect(afterAttempt({ ...failTimes(3), isOrdered: true }, answered(500), NOW)).toMatchObject({
      state: 'dead',
      attempts: 4,
      isOrdered: false,
    });
  });

  it('behavior: what is given up without an attempt counts none', () => {
    expect(abandoned(failTimes(2), 'off')).toMatchObject({ state: 'dead', attempts: 2, error: 'off', nextAttemptAt: null });
  });
});

describe('healthOf', () => {
  const made = (answer: Answer, isOrdered = false) => ({ answer, isOrdered });

  it('default: quick successes keep an endpoint in good standing, slow ones and mixed rounds do not', () => {
    expect(healthOf([made(answered(200))], NOW)).toEqual({ kind: 'working', standing: 'good' });
    expect(healthOf([made(answered(200, { latencyMs: 5000 }))], NOW)).toEqual({ kind: 'working', standing: 'slow' });
    expect(healthOf([made(answered(200)), made(timedOut)], NOW)).toEqual({ kind: 'working', standing: 'slow' });
  });

  it('default: failures alone are failing, 410 is gone whatever stands beside it', () => {
    expect(healthOf([made(timedOut), made(answered(302))], NOW)).toEqual({ kind: 'failing', at: NOW });
    expect(healthOf([made(answered(200)), made(answered(410))], NOW)).toMatchObject({ kind: 'gone' });
  });

  it('behavior: ordered attempts say nothing', () => {
    expect(healthOf([made(timedOut, true)], NOW)).toEqual({ kind: 'unknown' });
    expect(healthOf([], NOW)).toEqual({ kind: 'unknown' });
  });

  it('behavior: five days of nothing but failures are too long', () => {
    const webhook = { isActive: true, failingSince: NOW } as Webhook;

    expect(hasFailedTooLong(webhook, NOW + FAILING_MAX_SECONDS - 1)).toBe(false);
    expect(hasFailedTooLong(webhook, NOW + FAILING_MAX_SECONDS)).toBe(true);
    expect(hasFailedTooLong({ ...webhook, failingSince: null }, NOW + FAILING_MAX_SECONDS)).toBe(false);
  });
});
