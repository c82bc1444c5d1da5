// Mail that is sent lies in the outbox as SES would have sent it, and its events arrive where the configuration set says.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SendBounceCommand, SendRawEmailCommand, SESClient } from '@aws-sdk/client-ses';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseHead, rewriteHead } from '#infra/local/aws/mail-head.ts';
import { ACCOUNT, allow, BUCKET, type ClientSettings, type Harness, QUEUE, startHarness } from './harness.ts';

const IDENTITY_ARN = `arn:aws:ses:us-east-1:${ACCOUNT}:identity/agents.example.test`;
const SET_ARN = `arn:aws:ses:us-east-1:${ACCOUNT}:configuration-set/outbound`;

let harness: Harness;
let settings: ClientSettings;
let v1: SESClient;
let v2: SESv2Client;
beforeAll(async () => {
  harness = await startHarness();
  settings = harness.role(
    'sending',
    allow(['ses:SendRawEmail', 'ses:SendEmail', 'ses:SendBounce'], [IDENTITY_ARN, SET_ARN]),
    allow(['sqs:*', 's3:*']),
  );
  v1 = new SESClient(settings);
  v2 = new SESv2Client(settings);
});
afterAll(() => harness.close());

const BODY = 'Hello\r\n\r\n--b\r\nbytes: \xff\xfe kept\r\n';
const mail = (headers: readonly string[] = [], from = 'Ann <ann@agents.example.test>'): Buffer =>
  Buffer.from(
    [
      `From: ${from}`,
      'To: bob@example.org',
      'Subject: =?utf-8?q?caf=C3=A9?=',
      'Message-ID: <ours@agents.example.test>',
      ...headers,
      '',
      BODY,
    ].join('\r\n'),
    'latin1',
  );

const sent = async (messageId: string | undefined): Promise<Buffer> => await readFile(join(harness.outboxDir, `${messageId}.eml`));

interface SesEvent {
  readonly eventType: string;
  readonly mail: {
    readonly messageId: string;
    readonly destination: string[];
    readonly tags: Record<string, string[]>;
    readonly headers: { name: string; value: string }[];
  };
  readonly bounce?: {
    readonly bounceType: string;
    readonly bounceSubType: string;
    readonly bouncedRecipients: { readonly emailAddress: string }[];
  };
  readonly complaint?: { readonly complainedRecipients: { readonly emailAddress: string }[] };
}

/** Takes everything out of the events queue; events are published before a send is answered, so none is still to come. */
async function events(): Promise<SesEvent[]> {
  const queue = new SQSClient(settings);
  const QueueUrl = `${settings.endpoint}/000000000000/${QUEUE}`;
  const found: SesEvent[] = [];
  for (;;) {
    const { Messages: messages = [] } = await queue.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    if (messages.length === 0) return found;
    for (const { Body, ReceiptHandle } of messages) {
      found.push(JSON.parse((JSON.parse(Body ?? '') as { Message: string }).Message) as SesEvent);
      await queue.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}

describe('SendRawEmail', () => {
  test('leaves the mail with the Message-ID and Date of SES, every other byte as it was', async () => {
    const raw = mail(['X-SES-MESSAGE-TAGS: a=1', 'X-Folded: one', '\ttwo', 'Date: Thu, 1 Jan 1970 00:00:00 +0000']);
    const { MessageId } = await v1.send(new SendRawEmailCommand({ RawMessage: { Data: raw } }));
    expect(MessageId).toMatch(/^0100[0-9a-f]{12}-[0-9a-f-]{36}-000000$/);
    const stored = (await sent(MessageId)).toString('latin1');
    const expected = raw
      .toString('latin1')
      .replace('X-SES-MESSAGE-TAGS: a=1\r\n', '')
      .replace('<ours@agents.example.test>', `<${MessageId}@us-east-1.amazonses.com>`);
    expect(stored.replace(/Date: .*/, '')).toBe(expected.replace(/Date: .*/, ''));
    const date = Date.parse(/Date: (.*)\r\n/.exec(stored)?.[1] ?? '');
    expect(Math.abs(date - harness.nowMs())).toBeLessThan(3_600_000);
    expect((await readdir(harness.outboxDir)).every((name) => name.endsWith('.eml'))).toBe(true);
  });

  test('publishes Send, then Delivery, with the tags of the call', async () => {
    await events();
    const Tags = [{ Name: 'email_id', Value: '01ABC-def' }];
    const { MessageId } = await v1.send(
      new SendRawEmailCommand({
        RawMessage: { Data: mail() },
        Source: 'ann@agents.example.test',
        Destinations: ['carl@example.org'],
        Tags,
        ConfigurationSetName: 'outbound',
      }),
    );
    const published = await events();
    expect(published.map(({ eventType }) => eventType)).toStrictEqual(['Send', 'Delivery']);
    for (const event of published) {
      expect(event.mail).toMatchObject({
        messageId: MessageId,
        source: 'ann@agents.example.test',
        destination: ['carl@example.org'],
        headersTruncated: false,
        tags: { 'ses:configuration-set': ['outbound'], email_id: ['01ABC-def'] },
      });
    }
  });

  test('the simulator addresses bounce, complain and are suppressed', async () => {
    const headers = ['X-SES-CONFIGURATION-SET: outbound', 'X-SES-MESSAGE-TAGS: email_id=e1, kind=test'];
    const Destinations = ['bounce+1', 'complaint', 'suppressionlist', 'success'].map((name) => `${name}@simulator.amazonses.com`);
    await v1.send(new SendRawEmailCommand({ RawMessage: { Data: mail(headers) }, Destinations }));
    const published = await events();
    expect(published.map(({ eventType, bounce }) => [eventType, bounce?.bounceSubType])).toStrictEqual([
      ['Send', undefined],
      ['Delivery', undefined],
      ['Bounce', 'General'],
      ['Bounce', 'Suppressed'],
      ['Complaint', undefined],
    ]);
    expect(published[2]?.bounce).toMatchObject({
      bounceType: 'Permanent',
      bouncedRecipients: [{ emailAddress: Destinations[0], action: 'failed' }],
    });
    expect(published[4]?.complaint).toMatchObject({ complainedRecipients: [{ emailAddress: Destinations[1] }] });
    expect(published[0]?.mail.tags).toMatchObject({ email_id: ['e1'], kind: ['test'] });
  });

  test.each([
    [
      'a sender that is not verified',
      { RawMessage: { Data: mail([], 'eve@elsewhere.test') }, Destinations: ['b@example.org'] },
      'MessageRejected',
      /not verified.*eve@elsewhere\.test/,
    ],
    [
      'more than 50 recipients',
      { RawMessage: { Data: mail() }, Destinations: Array.from({ length: 51 }, (_value, index) => `r${index}@example.org`) },
      'InvalidParameterValue',
      /50/,
    ],
    [
      'a configuration set that does not exist',
      { RawMessage: { Data: mail() }, ConfigurationSetName: 'none' },
      'ConfigurationSetDoesNotExistException',
      /none/,
    ],
    ['a tag with a space', { RawMessage: { Data: mail() }, Tags: [{ Name: 'a', Value: 'b c' }] }, 'InvalidParameterValue', /b c/],
    ['two Subjects', { RawMessage: { Data: mail(['Subject: again']) } }, 'InvalidParameterValue', /Subject/],
  ])('refuses %s', async (_case, input, name, message) => {
    const anyone = new SESClient(harness.role('anyone', allow('ses:*')));
    await expect(anyone.send(new SendRawEmailCommand(input))).rejects.toMatchObject({ name, message: expect.stringMatching(message) });
  });

  test('takes just under 10 MB and not more', async () => {
    const grown = (bytes: number): Buffer => Buffer.concat([mail(), Buffer.alloc(bytes, 'a')]);
    await v1.send(new SendRawEmailCommand({ RawMessage: { Data: grown(10_400_000) } }));
    await expect(v1.send(new SendRawEmailCommand({ RawMessage: { Data: grown(10_500_000) } }))).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  test('needs the permission on the identity and on the configuration set', async () => {
    const identityOnly = new SESClient(harness.role('identity-only', allow('ses:SendRawEmail', IDENTITY_ARN)));
    await identityOnly.send(new SendRawEmailCommand({ RawMessage: { Data: mail() } }));
    await expect(
      identityOnly.send(new SendRawEmailCommand({ RawMessage: { Data: mail() }, ConfigurationSetName: 'outbound' })),
    ).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringMatching(/is not authorized to perform `ses:SendRawEmail' on resource `.*configuration-set\/outbound'/),
    });
  });
});

describe('SendEmail (v2)', () => {
  test('sends a raw message of 30 MB and publishes its events', async () => {
    await events();
    const Data = Buffer.concat([mail(), Buffer.alloc(30_000_000, 'a')]);
    const { MessageId } = await v2.send(
      new SendEmailCommand({
        Content: { Raw: { Data } },
        Destination: { ToAddresses: ['x@example.org'], BccAddresses: ['y@example.org'] },
        EmailTags: [{ Name: 'email_id', Value: 'v2' }],
        ConfigurationSetName: 'outbound',
      }),
    );
    expect((await sent(MessageId)).length).toBeGreaterThan(30_000_000);
    const published = await events();
    expect(published.map(({ eventType, mail: about }) => [eventType, about.tags['email_id'], about.destination])).toStrictEqual([
      ['Send', ['v2'], ['x@example.org', 'y@example.org']],
      ['Delivery', ['v2'], ['x@example.org', 'y@example.org']],
    ]);
  });

  test('refuses unverified senders and unknown sets with the classes of v2', async () => {
    const Content = (raw: Buffer) => ({ Raw: { Data: raw } });
    await expect(v2.send(new SendEmailCommand({ Content: Content(mail([], 'eve@elsewhere.test')) }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    const anyone = new SESv2Client(harness.role('anyone', allow('ses:*')));
    await expect(anyone.send(new SendEmailCommand({ Content: Content(mail([], 'eve@elsewhere.test')) }))).rejects.toMatchObject({
      name: 'MessageRejected',
    });
    await expect(anyone.send(new SendEmailCommand({ Content: Content(mail()), ConfigurationSetName: 'none' }))).rejects.toMatchObject({
      name: 'NotFoundException',
    });
  });
});

describe('SendBounce', () => {
  const bounce = (OriginalMessageId: string, BounceSender = 'mailer-daemon@agents.example.test') =>
    v1.send(
      new SendBounceCommand({
        OriginalMessageId,
        BounceSender,
        BouncedRecipientInfoList: [{ Recipient: 'nobody@agents.example.test', BounceType: 'DoesNotExist' }],
      }),
    );

  test('writes a delivery status notification to the reverse-path of the original', async () => {
    const original =
      'Return-Path: <sender@example.org>\r\nFrom: Sender <other@example.org>\r\nMessage-ID: <m1@example.org>\r\n\r\nits text';
    await new S3Client(settings).send(new PutObjectCommand({ Bucket: BUCKET, Key: 'inbound/original-1', Body: original }));
    const { MessageId } = await bounce('original-1');
    const raw = await sent(MessageId);
    const parsed = await PostalMime.parse(raw);
    expect(parsed.to?.[0]?.address).toBe('sender@example.org');
    expect(raw.toString()).toMatch(/^Return-Path: <>\r\n/);
    expect(raw.toString()).toContain('Content-Type: multipart/report; report-type=delivery-status;');
    expect(raw.toString()).toMatch(
      /Final-Recipient: rfc822; nobody@agents\.example\.test\r\nAction: failed\r\nStatus: 5\.1\.1\r\nDiagnostic-Code: smtp; 550/,
    );
    expect(raw.toString()).toContain('Message-ID: <m1@example.org>');
    expect(raw.toString()).not.toContain('its text');
  });

  test('only verified senders may bounce', async () => {
    const anyone = new SESClient(harness.role('bouncer', allow('ses:*')));
    const command = new SendBounceCommand({
      OriginalMessageId: 'x',
      BounceSender: 'a@elsewhere.test',
      BouncedRecipientInfoList: [{ Recipient: 'b@c.test' }],
    });
    await expect(anyone.send(command)).rejects.toMatchObject({ name: 'MessageRejected' });
  });
});

describe('header rewriting', () => {
  test.each([
    ['line feeds only', 'A: 1\nDate: old\n\nbody', 'A: 1\nDate: new\n\nbody'],
    ['no such field yet', 'A: 1\r\n\r\nbody', 'A: 1\r\nDate: new\r\n\r\nbody'],
    ['no body and no last line end', 'A: 1', 'A: 1\r\nDate: new\r\n'],
    ['an empty head', '\r\nbody', 'Date: new\r\n\r\nbody'],
    ['the field twice, folded', 'Date: a\r\n b\r\nDate: c\r\n\r\n', 'Date: new\r\n\r\n'],
  ])('%s', (_case, before, after) => {
    expect(rewriteHead(parseHead(Buffer.from(before)), { Date: 'new' }).toString()).toBe(after);
  });
});
