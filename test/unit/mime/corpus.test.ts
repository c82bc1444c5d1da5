// The corpus: messages as they occur in the wild and as attackers write them, each with what must come out of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentDisposition } from '#adapters/mime/filenames.ts';
import { parseMail } from '#adapters/mime/parse-mail.ts';
import { expectationOf } from '#test/support/mail-corpus.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/mail');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.eml'))
  .map((file) => file.slice(0, -4));

const MESSAGES_MIN = 60;

describe('the corpus', () => {
  it('default: holds at least sixty messages, each with its expectation', () => {
    const described = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

    expect(names.length).toBeGreaterThanOrEqual(MESSAGES_MIN);
    expect(described.map((file) => file.slice(0, -5)).sort()).toEqual([...names].sort());
  });

  it.each(names)('default: %s', async (name) => {
    const bytes = readFileSync(join(FOLDER, `${name}.eml`));
    const mail = await parseMail(bytes);
    const wanted: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));

    expect(expectationOf(mail)).toEqual(wanted);
    expect(mail.subject).not.toMatch(/[\r\n\0]/);
    expect(mail.subject.length).toBeLessThanOrEqual(998);
    expect([...mail.snippet].length).toBeLessThanOrEqual(200);
    const decoded = mail.attachments.reduce((sum, { size }) => sum + size, 0);
    expect(decoded).toBeLessThanOrEqual(bytes.byteLength * 2);
    for (const { filename } of mail.attachments) {
      expect(filename).not.toMatch(/[/\\\r\n\0\u202e]/);
      expect(contentDisposition(filename)).toMatch(/^[\x20-\x7e]+$/);
    }
  });
});
