// Which messages are refused whole, and which senders may be sent a bounce.
import { describe, expect, it } from 'vitest';
import { parseMail } from '#adapters/mime/parse-mail.ts';
import { mayBounce, rejectionOf } from '#domain/mail/admit-message.ts';
import type { InboundMessage } from '#domain/mail/receive-mail.ts';
import type { Verdicts } from '#domain/mail/mail.ts';

const PASS: Verdicts = { spf: 'PASS', dkim: 'PASS', dmarc: 'PASS', spam: 'PASS', virus: 'PASS' };

const message = async (head: readonly string[], options: { from?: string; verdicts?: Partial<Verdicts> } = {}): Promise<InboundMessage> => {
  const bytes = Buffer.from([...head, '', 'Body', ''].join('\r\n'));
  return {
    sesId: 'x',
    receivedAt: 1_795_000_000,
    receivedAtMs: 1_795_000_000_000,
    envelopeFrom: options.from ?? 'ann@example.com',
    verdicts: { ...PASS, ...options.verdicts },
    parsed: await parseMail(bytes),
    bytes,
    contentHash: undefined,
  };
};

const FROM = 'From: ann@example.com';
const refusalOf = async (...input: Parameters<typeof message>) => rejectionOf(await message(...input), 'agents.example');

describe('a message that claims our name', () => {
  const unverified = { verdicts: { dmarc: 'FAIL' } } as const;

  it('error: is refused without DMARC, for the domain and everything under it', async () => {
    expect(await refusalOf(['From: a@agents.example'], unverified)).toBe('forged_sender');
    expect(await refusalOf(['From: a@MAIL.agents.example'], unverified)).toBe('forged_sender');
    expect(await refusalOf(['From: a@agents.example'], { verdicts: { dmarc: 'PROCESSING_FAILED' } })).toBe('forged_sender');
  });

  it('error: is refused when one of several From addresses does', async () => {
    expect(await refusalOf([FROM, 'From: a@agents.example'], unverified)).toBe('forged_sender');
    expect(await refusalOf(['From: x@example.com, a@agents.example'], unverified)).toBe('forged_sender');
    expect(await refusalOf(['To: x@example.com'], { ...unverified, from: 'a@agents.example' })).toBe('forged_sender');
  });

  it.each([
    ['one that is no address we can show', ['From: "q q"@attacker.example']],
    ['two of them', [FROM, 'From: x@attacker.example']],
    ['none', ['To: x@example.com']],
  ])('error: is refused whatever DMARC says when the claim is in the envelope, and From is %s', async (_what, headers) => {
    expect(await refusalOf(headers, { from: 'a@agents.example' })).toBe('forged_sender');
    expect(await refusalOf(headers, { from: 'a@example.com' })).toBeUndefined();
  });

  it('behavior: a name that only resembles ours, or a display name, is no claim', async () => {
    expect(await refusalOf(['From: a@notagents.example'], unverified)).toBeUndefined();
    expect(await refusalOf(['From: "a@agents.example via list" <list@example.com>'], unverified)).toBeUndefined();
    expect(await refusalOf(['From: a@agents.example'])).toBeUndefined();
  });

  it('error: more than 25 hops are a loop', async () => {
    const hops = (count: number) => Array.from({ length: count }, () => 'Received: from a by b; Fri, 20 Nov 2026 10:00:00 +0000');
    expect(await refusalOf([...hops(25), FROM])).toBeUndefined();
    expect(await refusalOf([...hops(26), FROM])).toBe('mail_loop');
  });
});

describe('a bounce', () => {
  const may = async (...input: Parameters<typeof message>) => mayBounce(await message(...input));

  it('default: goes to a person whose domain vouches for the mail', async () => {
    expect(await may([FROM])).toBe(true);
    expect(await may([FROM], { from: 'ann@bounce.example.com', verdicts: { spf: 'FAIL' } })).toBe(true);
  });

  it.each([
    ['DMARC fails', [FROM], { verdicts: { dmarc: 'FAIL' } }],
    ['the reverse-path is empty', [FROM], { from: '' }],
    ['the mail is automatic', [FROM, 'Auto-Submitted: auto-generated'], {}],
    ['the mail is a list', [FROM, 'List-Id: <x>'], {}],
    ['the mail is a report', [FROM, 'Content-Type: multipart/report; report-type=delivery-status; boundary=x'], {}],
    ['the sender is a program', [FROM], { from: 'owner-list@example.com' }],
    ['the sender is a daemon', [FROM], { from: 'MAILER-DAEMON@example.com' }],
    ['it carries a virus', [FROM], { verdicts: { virus: 'FAIL' } }],
    ['the envelope names a bystander', [FROM], { from: 'victim@other.example', verdicts: { spf: 'FAIL' } }],
  ] as const)('behavior: none when %s', async (_name, head, options) => {
    expect(await may(head, options)).toBe(false);
  });
});
