// The outbox folder: what would have left for the world, one `.eml` file per message.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes an id as SES does: `0100`, the time in hex, a UUID, a counter. */
export function newMessageId(nowMs: number): string {
  return `0100${nowMs.toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
}

/** Writes `<message-id>.eml`. Who watches the folder never sees half a file: it is written aside and renamed. */
export async function writeToOutbox(outboxDir: string, messageId: string, mail: Buffer): Promise<void> {
  await mkdir(outboxDir, { recursive: true });
  const draft = join(outboxDir, `.${messageId}.${randomBytes(4).toString('hex')}`);
  await writeFile(draft, mail);
  await rename(draft, join(outboxDir, `${messageId}.eml`));
}

/** The Message-ID header that SES puts on what it sends. */
export const messageIdHeader = (messageId: string): string => `<${messageId}@us-east-1.amazonses.com>`;

/** A Date header value (RFC 5322) in UTC. */
export const mailDate = (ms: number): string => new Date(ms).toUTCString().replace('GMT', '+0000');
