// Fuzzing of everything that reads received bytes: messages of the corpus, torn and spliced, for five seconds with the
// other tests and for sixty with `npm run fuzz`. The seed is printed; `FUZZ_SEED` runs the same messages again.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contentHashOf } from '#adapters/mime/content-hash.ts';
import { contentDisposition } from '#adapters/mime/filenames.ts';
import { PARSE_STALLED } from '#adapters/mime/parse-limits.ts';
import { parseMail } from '#adapters/mime/parse-mail.ts';
import { headerEnd } from '#adapters/mime/raw-headers.ts';
import { readThreadHeaders } from '#adapters/mime/thread-headers.ts';
import { rebuildNotification } from '#adapters/ses/rebuild-notification.ts';
import { readWireId } from '#adapters/ses/wire-ids.ts';
import type { ParsedMail } from '#domain/ports/mail-content.ts';
import { parseReceivedMail } from '#events/ses-notification.ts';

const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 5);
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const BYTES_MAX = 400_000;
const MUTATIONS_MAX = 6;

const FOLDER = join(import.meta.dirname, '../../fixtures/mail');
const corpus = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.eml'))
  .sort()
  .map((file) => readFileSync(join(FOLDER, file)));

/** mulberry32: the same numbers for the same seed on every machine. */
const generator = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const random = generator(SEED);
const below = (count: number): number => Math.floor(random() * count);

const SNIPPETS = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\r\n\r\n',
  ' ',
  '\t',
  '"',
  '\\',
  '<',
  '>',
  '@',
  ';',
  ',',
  ':',
  '=',
  '==',
  '?=',
  '=?',
  '--',
  '=?utf-8?B?',
  '=?utf-8?Q?=',
  '\u202e',
  'Content-Type: multipart/mixed; boundary=m\r\n',
  'Content-Type: message/rfc822\r\n',
  'Content-Type: text/html; charset=utf-7\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: quoted-printable\r\n',
  'Content-Disposition: inline; filename*0*=x\r\n',
  'From: a@b.example\r\n',
  'Received: for <x@agents.example>;\r\n',
  'To: bob@agents.example\r\n',
  'References: <a@b>\r\n',
  'charset=iso-2022-jp',
  'format=flowed',
  '--m\r\n',
  '--m--\r\n',
] as const;

const insert = (bytes: Buffer, at: number, what: Uint8Array): Buffer => Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)]);

const MUTATIONS: readonly ((bytes: Buffer) => Buffer)[] = [
  (bytes) => {
    const changed = Buffer.from(bytes);
    if (changed.length > 0) changed[below(changed.length)] = below(256);
    return changed;
  },
  (bytes) => insert(bytes, below(bytes.length + 1), Buffer.from(SNIPPETS[below(SNIPPETS.length)] ?? '')),
  (bytes) => bytes.subarray(0, below(bytes.length + 1)),
  (bytes) => bytes.subarray(below(bytes.length + 1)),
  (bytes) => {
    const [from, to] = [below(bytes.length + 1), below(bytes.length + 1)].sort((a, b) => a - b);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes) => {
    const start = below(bytes.length + 1);
    return insert(bytes, below(bytes.length + 1), bytes.subarray(start, start + below(2000)));
  },
  (bytes) => {
    const other = corpus[below(corpus.length)] ?? Buffer.alloc(0);
    const start = below(other.length + 1);
    return insert(bytes, below(bytes.length + 1), other.subarray(start, start + below(4000)));
  },
];

const nextMessage = (): Buffer => {
  let bytes: Buffer = corpus[below(corpus.length)] ?? Buffer.alloc(0);
  for (let left = 1 + below(MUTATIONS_MAX); left > 0; left -= 1) bytes = MUTATIONS[below(MUTATIONS.length)]?.(bytes) ?? bytes;
  return bytes.subarray(0, BYTES_MAX);
};

const hold = (bytes: Buffer, mail: ParsedMail): void => {
  expect(mail.subject).not.toMatch(/[\r\n\0]/);
  expect([...mail.snippet].length).toBeLessThanOrEqual(200);
  for (const id of [mail.messageId, mail.inReplyTo, ...mail.references]) if (id !== undefined) expect(id).toMatch(/^<[!-;=?-~]+>$/);
  if (mail.from) expect(mail.from.address).toMatch(/^[!-~]+@[a-z0-9.-]+$/);
  for (const { filename, contentType, size, content, index } of mail.attachments) {
    expect(filename).not.toMatch(/[/\\\r\n\0\u202e]/);
    expect(contentDisposition(filename)).toMatch(/^[\x20-\x7e]+$/);
    expect(contentType).toMatch(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:; [a-z0-9!#$&^_.+-]+=[\x20-\x7e]+)*$/);
    expect([size, mail.attachments[index]?.content]).toEqual([content.byteLength, content]);
  }
  const thread = readThreadHeaders(bytes);
  // The quick reading looks at 64 KB; a longer header may hold its fields behind them.
  if (headerEnd(bytes.subarray(0, 65_536)) >= 0) expect([thread.messageId, thread.subject]).toEqual([mail.messageId, mail.subject]);
  contentHashOf(bytes);
  readWireId(mail.messageId ?? '');
  const notification = rebuildNotification({ key: 'inbound/x', sesId: 'x', storedAt: 1_795_000_000 }, bytes, 'agents.example');
  if (notification !== undefined) parseReceivedMail(notification);
};

it(`behavior: nothing in ${SECONDS} seconds of torn messages throws or breaks a promise (seed ${SEED})`, {
  timeout: SECONDS * 1000 + 120_000,
}, async () => {
  const until = performance.now() + SECONDS * 1000;
  let count = 0;
  for (; performance.now() < until; count += 1) {
    const bytes = nextMessage();
    const kept = join(tmpdir(), `fuzz-${SEED}-${count}.eml`);
    try {
      const mail = await parseMail(bytes);
      hold(bytes, mail);
      // Ended in time, so nothing is broken; kept all the same, since whoever stalls the parser has found something.
      if (mail.parseError === PARSE_STALLED) writeFileSync(kept, new Uint8Array(bytes));
    } catch (error) {
      writeFileSync(kept, new Uint8Array(bytes));
      throw new Error(`message ${count} of seed ${SEED}, kept as ${kept}`, { cause: error });
    }
  }
  process.stdout.write(`fuzz: ${count} messages, seed ${SEED}\n`);
});
