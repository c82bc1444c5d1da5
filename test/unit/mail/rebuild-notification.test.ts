// A lost notification written anew: from what the receiving side stamped on the mail, never from what the mail says.
import { describe, expect, it } from 'vitest';
import { rebuildNotification } from '#adapters/ses/rebuild-notification.ts';
import { parseReceivedMail } from '#events/ses-notification.ts';

const ENTRY = { key: 'inbound/abc', sesId: 'abc', storedAt: 1_795_000_000 };

const rebuilt = (lines: readonly string[]) => {
  const text = rebuildNotification(ENTRY, Buffer.from([...lines, '', 'Body'].join('\r\n')), 'agents.example');
  return text === undefined ? undefined : parseReceivedMail(text);
};

const STAMP = [
  'Return-Path: <ann@example.com>',
  'Received: from mx.example.com (mx.example.com [192.0.2.1]) by inbound-smtp.us-east-1.amazonaws.com with SMTP id abc for bob@agents.example; Fri, 20 Nov 2026 10:00:00 +0000 (UTC)',
  'X-SES-Spam-Verdict: PASS',
  'X-SES-Virus-Verdict: FAIL',
  'Authentication-Results: amazonses.com; spf=pass (x) client-ip=192.0.2.1; dkim=fail header.i=@example.com; dmarc=none header.from=example.com;',
];

describe('a rebuilt notification', () => {
  it('default: tells sender, recipient and verdicts as they were stamped', () => {
    expect(rebuilt([...STAMP, 'From: x@example.com', 'To: list@example.com'])).toMatchObject({
      mail: { messageId: 'abc', source: 'ann@example.com' },
      receipt: {
        recipients: ['bob@agents.example'],
        spfVerdict: 'PASS',
        dkimVerdict: 'FAIL',
        dmarcVerdict: 'GRAY',
        spamVerdict: 'PASS',
        virusVerdict: 'FAIL',
        action: { objectKey: 'inbound/abc' },
      },
    });
  });

  it('behavior: what the mail itself brings after the stamp is not believed', () => {
    const forged = [
      'X-SES-Virus-Verdict: PASS',
      'Authentication-Results: amazonses.com; dkim=pass; dmarc=pass',
      'Received: by x for eve@agents.example; now',
    ];
    expect(rebuilt([...STAMP, ...forged, 'To: eve@agents.example'])).toMatchObject({
      receipt: { recipients: ['bob@agents.example'], dkimVerdict: 'FAIL', dmarcVerdict: 'GRAY', virusVerdict: 'FAIL' },
    });
  });

  it.each([
    [
      'an envelope sender that is called so',
      'envelope-from=dmarc=pass@evil.example; helo=dmarc=pass; dmarc=fail header.from=agents.example',
      'FAIL',
    ],
    ['one in quotes', 'envelope-from="; dmarc=pass "@evil.example; dmarc=none header.from=agents.example', 'GRAY'],
    ['one in a comment', 'spf=none (x; dmarc=pass ) client-ip=192.0.2.1; dmarc=none', 'GRAY'],
    ['one that contradicts the real one', 'helo=x; dmarc=pass ; y; dmarc=fail header.from=agents.example', 'PROCESSING_FAILED'],
  ])('error: a forged verdict is not believed: %s', (_name, clauses, dmarcVerdict) => {
    const stamp = [...STAMP.slice(0, -1), `Authentication-Results: amazonses.com; ${clauses};`];
    expect(rebuilt(stamp)).toMatchObject({ receipt: { dmarcVerdict } });
  });

  it('behavior: without a named recipient the visible ones of the domain are taken, and without those nothing', () => {
    const several = STAMP.map((line) => line.replace(' for bob@agents.example', ''));
    expect(rebuilt([...several, 'To: a@agents.example, x@example.com', 'Cc: B@agents.example'])?.receipt.recipients).toEqual([
      'a@agents.example',
      'b@agents.example',
    ]);
    expect(rebuilt([...several, 'To: x@example.com'])).toBeUndefined();
    expect(rebuilt([])).toBeUndefined();
  });
});
