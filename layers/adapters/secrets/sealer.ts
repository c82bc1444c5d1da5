// AES-256-GCM over short texts that have to be readable again: webhook secrets and stored replies.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { InfrastructureError, invariant } from '#domain/errors.ts';
import type { Sealer } from '#domain/ports/idempotency.ts';
import { type SecretReader, secretValue } from './secret-reader.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1.';

/** The secret is text of any length; its hash is the 256-bit key. */
const keyOf = (value: string): Buffer => createHash('sha256').update(value).digest();

const openWith = (key: Buffer, bytes: Buffer): string => {
  // Without its length, Node would take a tag that somebody cut short, and that is quickly guessed.
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
};

/** The current key and, for what was sealed before a rotation, every other one that the secret holds. */
const keysOf = (values: Readonly<Record<string, string>>): Buffer[] => {
  const { current: _, ...older } = values;
  return [secretValue(values, 'current'), ...Object.values(older)].map(keyOf);
};

const openWithAny = (keys: readonly Buffer[], bytes: Buffer): string => {
  for (const key of keys) {
    try {
      return openWith(key, bytes);
    } catch {
      // The tag tells a wrong key; the next one may fit.
    }
  }
  throw new InfrastructureError('no key of the secret opens a sealed text');
};

/** What an older key sealed can be opened as long as the secret holds that key, under whatever name. */
export const openSealer = (secret: SecretReader): Sealer => ({
  seal: async (text) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', keyOf(secretValue(await secret(), 'current')), nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  },
  open: async (text) => {
    invariant(text.startsWith(FORMAT), 'a sealed text of another format');
    return openWithAny(keysOf(await secret()), Buffer.from(text.slice(FORMAT.length), 'base64'));
  },
});
