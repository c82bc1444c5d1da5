// Attachment names that try to leave their folder, hide their type or break a header.
import { describe, expect, it } from 'vitest';
import { cleanFilename, contentDisposition } from '#adapters/mime/filenames.ts';

describe('cleanFilename', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system32\\a.exe', 'a.exe'],
    ['..', 'attachment-1'],
    ['.htaccess', 'htaccess'],
    ['', 'attachment-1'],
    ['   ', 'attachment-1'],
    ['a/', 'attachment-1'],
    ['a\r\nSet-Cookie: x', 'aSet-Cookie_ x'],
    ['photo\u202Egpj.exe', 'photogpj.exe'],
    ['a\u200Bb.txt', 'ab.txt'],
    ['e\u0301.txt', 'é.txt'],
    ['a"b.txt', 'a_b.txt'],
    ['name.txt...', 'name.txt'],
    ['\0', 'attachment-1'],
    ['\uD800.txt', '\uFFFD.txt'],
  ])('%j becomes %j', (given, cleaned) => {
    expect(cleanFilename(given, 0)).toBe(cleaned);
  });

  it('numbers nameless attachments from one', () => {
    expect(cleanFilename(undefined, 4)).toBe('attachment-5');
  });

  it('keeps the extension of a name that is too long, and whole characters', () => {
    const cleaned = cleanFilename(`${'日'.repeat(200)}.pdf`, 0);
    expect(Buffer.byteLength(cleaned)).toBeLessThanOrEqual(255);
    expect(cleaned).toMatch(/^日+\.pdf$/);
  });
});

describe('contentDisposition', () => {
  it('gives an ASCII fallback and the full name', () => {
    expect(contentDisposition('Größe 100%.pdf')).toBe(
      `attachment; filename="Gr__e 100_.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20100%25.pdf`,
    );
  });

  it.each(['a"; filename="b.html', 'a\r\nX: y', "a'b(c)*.txt", '../x', '\uD800', '日本語.txt', 'a\\b'])(
    'stays one printable line for %j',
    (name) => {
      expect(contentDisposition(name)).toMatch(/^attachment; filename="[ !#-[\]-~]+"; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/);
    },
  );
});
