// Signatures: the published test vector, the package of the standard, and the snippet that the page for receivers shows.
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signatureHeaders } from '#adapters/https/sign-delivery.ts';

const PAGE = readFileSync(new URL('../../../layers/domain/webhooks/README.md', import.meta.url), 'utf8');
const cell = (name: string): string => new RegExp(`\\| ${name} \\| \`([^\`]+)\``).exec(PAGE)?.[1] ?? '';

describe('signatureHeaders', () => {
  it('default: gives the test vector of the page', () => {
    const signing = { id: cell('`webhook-id`'), timestamp: Number(cell('`webhook-timestamp`')), secrets: [cell('secret')] };

    expect(signatureHeaders(cell('body'), signing)).toEqual({
      'webhook-id': cell('`webhook-id`'),
      'webhook-timestamp': cell('`webhook-timestamp`'),
      'webhook-signature': cell('`webhook-signature`'),
      'x-service-signature': cell('`X-Service-Signature`'),
    });
  });

  it('behavior: while two secrets live, each of them verifies and no other', () => {
    const [next, before, stranger] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()] as const;
    const body = '{"type":"message.received","data":{"subject":"Grüße"}}';
    const headers = signatureHeaders(body, { id: 'evt', timestamp: Math.floor(Date.now() / 1000), secrets: [next, before] });

    expect(new Webhook(next).verify(body, headers)).toMatchObject({ type: 'message.received' });
    expect(new Webhook(before).verify(body, headers)).toMatchObject({ type: 'message.received' });
    expect(() => new Webhook(stranger).verify(body, headers)).toThrow();
    expect(() => new Webhook(next).verify(`${body} `, headers)).toThrow();
  });

  it('default: a secret is whsec_ and 32 random bytes', () => {
    const secret = newWebhookSecret();

    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});
