// A parser that never ends: the reading is ended for it, as a header-only one.
import { MailParser } from 'mailparser';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PARSE_STALLED, PARSE_TIMEOUT_MS } from '#adapters/mime/parse-limits.ts';
import { parseMail } from '#adapters/mime/parse-mail.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a parser that stalls', () => {
  it('behavior: is given up after its time, even when it does not hear that it is ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(MailParser.prototype, Symbol.asyncIterator).mockReturnValue({ next: () => new Promise(() => undefined) } as never);
    const reading = parseMail(Buffer.from('From: ann@example.com\r\nSubject: stalls\r\n\r\nBody'));
    await vi.advanceTimersByTimeAsync(PARSE_TIMEOUT_MS);

    expect(await reading).toMatchObject({
      subject: 'stalls',
      from: { address: 'ann@example.com' },
      parseError: PARSE_STALLED,
      attachments: [],
    });
  });
});
