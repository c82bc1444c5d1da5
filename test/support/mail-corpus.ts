// The corpus of messages in test/fixtures/mail: what must come out of a reading, in the form of the file beside each.
import { createHash } from 'node:crypto';
import type { ParsedMail } from '#domain/ports/mail-content.ts';

const TEXT_SHOWN = 200;

/** Long texts are told by their beginning and their length. */
const shown = (text: string): string => (text.length <= TEXT_SHOWN ? text : `${text.slice(0, TEXT_SHOWN)}… (${text.length})`);

const ATTACHMENTS_SHOWN = 5;

/** What a reading has to say, without the bytes. */
export const expectationOf = (mail: ParsedMail) => ({
  from: mail.from ?? null,
  to: mail.to,
  subject: shown(mail.subject),
  messageId: mail.messageId ?? null,
  inReplyTo: mail.inReplyTo ?? null,
  references: mail.references,
  date: mail.date ?? null,
  text: shown(mail.text.trim()),
  html: mail.html === undefined ? null : shown(mail.html),
  snippet: mail.snippet,
  attachments: mail.attachments.length,
  files: mail.attachments.slice(0, ATTACHMENTS_SHOWN).map(({ filename, contentType, size, inline, content }) => ({
    filename,
    contentType,
    size,
    inline,
    sha256: createHash('sha256').update(content).digest('hex').slice(0, 16),
  })),
  marks: {
    autoSubmitted: mail.autoSubmitted ?? null,
    isList: mail.isList,
    isBounce: mail.isBounce,
    receivedCount: mail.receivedCount,
  },
  parseError: mail.parseError ?? null,
});
