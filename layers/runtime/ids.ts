// Ids and tokens from the system's randomness.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type Ids, timeId, timeOf } from '#domain/values/id.ts';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const token = (length: number): string => {
  let text = '';
  for (let i = 0; i < length; i += 1) text += ALPHANUMERICS.charAt(randomInt(ALPHANUMERICS.length));
  return text;
};

/** Milliseconds keep the order within a second; a request that runs into the next one stays at the end of its own. */
const momentIn = (nowSeconds: number): number => Math.min(Math.max(Date.now(), nowSeconds * 1000), nowSeconds * 1000 + 999);

const notBefore = (milliseconds: number, after: string | undefined): number =>
  after === undefined ? milliseconds : Math.max(milliseconds, timeOf(after) + 1);

const derivedAtMs = (nowMs: number, cause: string): string => timeId(nowMs, createHash('sha256').update(cause).digest());

export const systemIds: Ids = {
  next: (nowSeconds, after) => timeId(notBefore(momentIn(nowSeconds), after), randomBytes(16)),
  derived: (nowSeconds, cause, after) => derivedAtMs(notBefore(nowSeconds * 1000, after), cause),
  derivedAtMs,
  token,
};

export const sha256Hex = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
