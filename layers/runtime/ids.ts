// Ids and tokens from the system's randomness.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type Ids, timeId, timeOf } from '#domain/values/id.ts';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const token = (length: number): string => {
  let text = '';
  for (let i = 0; i < length; i += 1) text += ALPHANUMERICS.charAt(randomInt(ALPHANUMERICS.length));
  return text;
};

export const systemIds: Ids = {
  // Milliseconds keep the order of mails within a second; a request that runs into the next one stays at the end of its own.
  next: (nowSeconds) => timeId(Math.min(Math.max(Date.now(), nowSeconds * 1000), nowSeconds * 1000 + 999), randomBytes(16)),
  derived: (nowSeconds, cause, after) => {
    const milliseconds = after === undefined ? nowSeconds * 1000 : Math.max(nowSeconds * 1000, timeOf(after) + 1);
    return timeId(milliseconds, createHash('sha256').update(cause).digest());
  },
  token,
};

export const sha256Hex = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
