// Signatures of a delivery: the one of this service over the bare body, and those of Standard Webhooks over id, time and
// body, one for each living secret. https://github.com/standard-webhooks/standard-webhooks
import { createHmac, randomBytes } from 'node:crypto';
import type { Signing } from '#domain/ports/webhooks.ts';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A fresh secret: `whsec_` and base64 of 32 random bytes. */
export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Keyed with the secret exactly as it was returned, prefix and all. */
const bodySignature = (secret: string, body: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Keyed with the bytes that the secret encodes, as the standard wants it. */
const standardSignature = (secret: string, content: string): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};

/** The signing headers of one attempt; the first secret is the newest, which alone makes `x-service-signature`. */
export const signatureHeaders = (body: string, { id, timestamp, secrets }: Signing): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets.map((secret) => standardSignature(secret, `${id}.${timestamp}.${body}`)).join(' '),
  'x-service-signature': bodySignature(secrets[0] ?? '', body),
});
