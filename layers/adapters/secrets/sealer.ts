// AES-256-GCM over short texts that have to be readable again: webhook secrets and stored replies.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { invariant } from '#domain/errors.ts';
import type { Sealer } from '#domain/ports/idempotency.ts';
import { type SecretReader, secretValue } from './secret-reader.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1.';

/** The secret is text of any length; its hash is the 256-bit key. */
const keyOf = (value: string): Buffer => createHash('sha256').update(value).digest();

const openWith = (key: Buffer, bytes: Buffer): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
};

/** What the key before the last rotation sealed can still be opened while the secret holds it as `previous`. */
export const openSealer = (secret: SecretReader): Sealer => ({
  seal: async (text) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', keyOf(secretValue(await secret(), 'current')), nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  },
  open: async (text) => {
    invariant(text.startsWith(FORMAT), 'a sealed text of another format');
    const bytes = Buffer.from(text.slice(FORMAT.length), 'base64');
    const values = await secret();
    const previous = values['previous'];
    try {
      return openWith(keyOf(secretValue(values, 'current')), bytes);
    } catch (error) {
      if (previous === undefined) throw error;
      return openWith(keyOf(previous), bytes);
    }
  },
});
