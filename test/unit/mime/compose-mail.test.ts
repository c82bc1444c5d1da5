// Outgoing messages, read back by a parser of another family.
import { parse as parseHtml, serialize as serializeHtml } from 'parse5';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { composeMail } from '#adapters/mime/compose-mail.ts';
import type { ComposeRequest } from '#domain/ports/mail-content.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const request = (changes: Partial<ComposeRequest> = {}): ComposeRequest => ({
  from: { address: 'alice@agents.test', name: 'Alice' },
  to: 'bob@example.com',
  subject: 'Hello',
  text: '# Hi\n\n**there**',
  messageId: 'm1@agents.test',
  date: 1_790_000_000,
  attachments: [],
  ...changes,
});

const compose = async (changes: Partial<ComposeRequest> = {}): Promise<string> => {
  const outcome = await composeMail(request(changes));
  if (!outcome.ok) throw new Error(outcome.detail.message);
  return Buffer.from(outcome.value).toString('utf8');
};

const read = async (changes: Partial<ComposeRequest> = {}) => PostalMime.parse(await compose(changes));

describe('composeMail', () => {
  it('writes both parts, the given id and date, and CRLF lines only', async () => {
    const raw = await compose();
    expect(raw).toContain('Content-Type: multipart/alternative;');
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const mail = await PostalMime.parse(raw);
    expect(mail).toMatchObject({ subject: 'Hello', messageId: '<m1@agents.test>', date: '2026-09-21T14:13:20.000Z' });
    expect(mail.from).toMatchObject({ address: 'alice@agents.test', name: 'Alice' });
    expect(mail.to).toMatchObject([{ address: 'bob@example.com' }]);
    expect(mail.text?.trim()).toBe('# Hi\n\n**there**');
    expect(mail.html).toContain('<h1>Hi</h1>');
    expect(mail.html).toContain('<strong>there</strong>');
  });

  it('names the whole chain in References', async () => {
    const mail = await read({ inReplyTo: '<p@x.example>', references: ['<a@x.example>', 'p@x.example'] });
    expect(mail.inReplyTo).toBe('<p@x.example>');
    expect(mail.references).toBe('<a@x.example> <p@x.example>');
  });

  it('encodes names, subjects and filenames so that they come back whole', async () => {
    const subject = 'Grüße — 日本語 📬 '.repeat(12).trim();
    const attachments = [{ filename: 'Größe 日本.pdf', contentType: 'application/pdf', content: bytesOf('%PDF') }];
    const raw = await compose({ subject, from: { address: 'a@agents.test', name: 'Ünï, "Q"' }, attachments });
    expect(raw).toMatch(/^[\x00-\x7f]*$/);
    expect(raw).toContain("filename*0*=utf-8''");
    const mail = await PostalMime.parse(raw);
    expect(mail.subject).toBe(subject);
    expect(mail.from?.name).toBe('Ünï, "Q"');
    expect(mail.attachments[0]?.filename).toBe('Größe 日本.pdf');
  });

  it('puts attachments into multipart/mixed, byte for byte', async () => {
    const content = Uint8Array.from({ length: 5_000 }, (_value, index) => index % 256);
    const mail = await read({ attachments: [{ filename: 'a.bin', contentType: 'application/octet-stream', content }] });
    expect(new Uint8Array(mail.attachments[0]?.content as ArrayBuffer)).toStrictEqual(content);
    expect(mail.attachments[0]?.disposition).toBe('attachment');
  });

  it('sends the parameters of a content type beside the name', async () => {
    const raw = await compose({
      attachments: [{ filename: 'a.csv', contentType: 'text/csv; charset=iso-8859-1', content: bytesOf('a;b') }],
    });
    expect(raw).toContain('Content-Type: text/csv; charset=iso-8859-1; name=a.csv');
  });

  it('sends an attached message as a file, not as structure', async () => {
    const content = bytesOf('Subject: inner\r\n\r\nhello');
    const raw = await compose({ attachments: [{ filename: 'a.eml', contentType: 'message/rfc822; charset=utf-8', content }] });
    expect(raw).toContain('Content-Type: application/octet-stream; name=a.eml');
  });

  it('puts the signature behind a `-- ` line in both parts', async () => {
    const mail = await read({ signature: { text: 'Sent by Agents', html: '<a href="https://agents.test">Agents</a><script>x</script>' } });
    expect(mail.text).toContain('\n-- \nSent by Agents');
    expect(mail.html).toContain('<div>-- <br>');
    expect(mail.html).toContain('href="https://agents.test"');
    expect(mail.html).not.toContain('script');
  });

  it('keeps a signature of paragraphs valid HTML', async () => {
    const { html } = await read({ signature: { text: 'Sent by Agents', html: '<p>Sent by Agents</p><p>agents.test</p>' } });
    const errors: string[] = [];
    parseHtml(html ?? '', { onParseError: ({ code }) => errors.push(code) });
    // A paragraph inside a paragraph is closed early, and the end tag that is left over makes an empty one.
    expect(serializeHtml(parseHtml(html ?? ''))).not.toContain('<p></p>');
    expect(errors).toStrictEqual([]);
  });

  it("sanitises the caller's HTML and keeps the text beside it", async () => {
    const mail = await read({ html: '<p onclick="x()">Hi<script>alert(1)</script></p>' });
    expect(mail.html).toContain('<p>Hi</p>');
    expect(mail.html).not.toMatch(/script|onclick/);
    expect(mail.text?.trim()).toBe('# Hi\n\n**there**');
  });

  it.each(['', ' \r\n\t'])('renders the text when the HTML is %j', async (html) => {
    expect((await read({ html })).html).toContain('<strong>there</strong>');
  });

  it('lets service headers through', async () => {
    const mail = await read({ headers: { 'Auto-Submitted': 'auto-generated' } });
    expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
  });

  it('sends a subject that looks encoded as it was written', async () => {
    const subject = `=?utf-8?q?a=0D=0ABcc=3A_x=40y.zz?= ${'日本語 '.repeat(30)}end`;
    expect((await read({ subject })).subject).toBe(subject);
  });

  it('reads no files and no URLs, whatever a field looks like', async () => {
    const mail = await read({ text: 'file:///etc/passwd', subject: '/etc/passwd', attachments: [] });
    expect(mail.text?.trim()).toBe('file:///etc/passwd');
  });
});

describe('composeMail refuses', () => {
  const file = { filename: 'a', contentType: 'text/plain', content: bytesOf('') };
  it.each<[string, Partial<ComposeRequest>]>([
    ['subject', { subject: 'a\r\nBcc: x@y.zz' }],
    ['subject', { subject: '\t' }],
    ['subject', { subject: 'a\u2028b' }],
    ['subject', { subject: 'a\u0085b' }],
    ['subject', { subject: '\uD800' }],
    ['from', { from: { address: 'a@b.cc', name: 'x\ny' } }],
    ['from', { from: { address: 'a@b.cc, c@d.ee' } }],
    ['to', { to: 'a@b.cc, c@d.ee' }],
    ['to', { to: 'Name <a@b.cc>' }],
    ['to', { to: 'team: a@b.cc;' }],
    ['to', { to: 'a@b.cc\r\nX: y' }],
    ['message_id', { messageId: 'a b' }],
    ['message_id', { messageId: '' }],
    ['in_reply_to', { inReplyTo: '<a>\0' }],
    ['references', { references: ['<a@b>', '<a@b> <c@d>'] }],
    ['attachments.filename', { attachments: [{ ...file, filename: 'a\r\nb' }] }],
    ['attachments.content_type', { attachments: [{ ...file, contentType: 'text/plain\r\nX: y' }] }],
    ['attachments.content_type', { attachments: [{ ...file, contentType: 'text/plain; boundary=x' }] }],
    ['attachments.content_type', { attachments: [{ ...file, contentType: 'Multipart/mixed' }] }],
    ['headers.X-A', { headers: { 'X-A': 'a\nb' } }],
    ['headers', { headers: { Bcc: 'a@b.cc' } }],
    ['headers', { headers: { 'content-type': 'text/html' } }],
    ['headers', { headers: { 'X A': 'b' } }],
    ['headers.X-A', { headers: { 'X-A': '=?utf-8?q?a=0D=0Ab?=' } }],
    ['from', { from: { address: 'a@b.cc', name: '=?utf-8?q?a=0D=0Ab?=' } }],
  ])('an unsafe %s: %j', async (field, changes) => {
    expect(await composeMail(request(changes))).toMatchObject({ ok: false, code: 'invalid_request', detail: { fields: { field } } });
  });
});
