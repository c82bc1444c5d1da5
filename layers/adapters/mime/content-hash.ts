// What makes two deliveries the same message: its own id, sender, date and body. The body is part of it, because a
// Message-ID that is used again for another text must not swallow that text.
import { createHash } from 'node:crypto';
import { headerEnd, readHeaderFields } from './raw-headers.ts';

const HEADER_BYTES_READ = 262_144;
const IDENTIFYING = ['message-id', 'from', 'date'] as const;

/**
 * SHA-256 in hex, the same however often and over whichever servers a message came; undefined without a Message-ID,
 * because two equal notes from a simple sender are then two messages.
 */
export const contentHashOf = (bytes: Uint8Array): string | undefined => {
  const fields = readHeaderFields(bytes, HEADER_BYTES_READ);
  if (!fields.has('message-id')) return undefined;
  const hash = createHash('sha256');
  for (const name of IDENTIFYING) hash.update(`${name}:${(fields.get(name) ?? []).join('\n')}\n`);
  return hash.update(bytes.subarray(Math.max(0, headerEnd(bytes)))).digest('hex');
};
