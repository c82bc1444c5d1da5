// The outside world of a test: mail that comes in by SMTP, and the folder where mail that left is kept.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import type { TestStack } from './test-stack.ts';

export interface OutsideMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header lines and, after an empty one, the body. */
  readonly raw: string | Buffer;
}

/** Hands a message to the stack's SMTP server; resolves when it was accepted. */
export const deliver = async ({ stack }: TestStack, { from, to, raw }: OutsideMail): Promise<void> => {
  const transport = createTransport({ host: stack.smtp.host, port: stack.smtp.port, secure: false, ignoreTLS: true });
  await transport.sendMail({ envelope: { from, to: [...to] }, raw });
};

let messages = 0;

/** A plain message with a Message-ID of its own; `extra` are further header lines. */
export const plainMessage = (from: string, to: string, subject: string, extra: readonly string[] = []): string => {
  messages += 1;
  return [
    `Message-ID: <outside-${process.pid}-${messages}@example.com>`,
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    ...extra,
    '',
    `Body of ${subject}`,
    '',
  ].join('\r\n');
};

/** Every message that left, as bytes, with the wire id that is its file's name. */
export const outbox = async ({ stack }: TestStack): Promise<{ wireId: string; bytes: Buffer }[]> => {
  const names = (await readdir(stack.outbox_dir).catch(() => [])).filter((name) => name.endsWith('.eml'));
  return Promise.all(names.map(async (name) => ({ wireId: name.slice(0, -4), bytes: await readFile(join(stack.outbox_dir, name)) })));
};

/** The messages that left whose text holds a word, parsed. */
export const outboxWith = async (running: TestStack, word: string): Promise<Email[]> => {
  const found = (await outbox(running)).filter(({ bytes }) => bytes.includes(word));
  return Promise.all(found.map(({ bytes }) => PostalMime.parse(bytes)));
};
