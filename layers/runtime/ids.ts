// Ids and tokens from the system's randomness.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type Ids, timeId } from '#domain/values/id.ts';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const token = (length: number): string => {
  let text = '';
  for (let i = 0; i < length; i += 1) text += ALPHANUMERICS.charAt(randomInt(ALPHANUMERICS.length));
  return text;
};

export const systemIds: Ids = {
  // Milliseconds keep the order of mails within a second; the clock port counts seconds, so they are added here.
  next: (nowSeconds) => timeId(nowSeconds * 1000 + (Date.now() % 1000), randomBytes(16)),
  derived: (nowSeconds, cause) => timeId(nowSeconds * 1000, createHash('sha256').update(cause).digest()),
  token,
};

export const sha256Hex = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
