// The events of a configuration set, in the shape in which SES publishes them to SNS. Mail goes nowhere here, so every
// address is delivered to at once, except SES's own simulator addresses, which bounce or complain as they do there.
import { randomUUID } from 'node:crypto';
import type { Assembly } from '#infra/local/model.ts';
import { type Account, identityArn } from './arns.ts';
import { addressesIn, type MailHead, valuesOf } from './mail-head.ts';
import { verifiedIdentity } from './ses-identities.ts';

/** An accepted message, as far as its events tell of it. */
export interface SentMail {
  readonly messageId: string;
  readonly source: string;
  readonly recipients: readonly string[];
  readonly head: MailHead;
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSet: string;
  readonly sentAtMs: number;
  /** Name of the function that sent it. */
  readonly sender: string;
}

export interface SesEvent {
  readonly eventType: 'Send' | 'Delivery' | 'Bounce' | 'Complaint';
  readonly [member: string]: unknown;
}

type Outcome = 'delivered' | 'bounced' | 'complained' | 'suppressed';

const SIMULATOR: Readonly<Record<string, Outcome>> = { bounce: 'bounced', complaint: 'complained', suppressionlist: 'suppressed' };

/** Labels are allowed on simulator addresses: `bounce+label@simulator.amazonses.com`. */
function outcomeOf(address: string): Outcome {
  const name = /^([a-z]+)(?:\+[^@]*)?@simulator\.amazonses\.com$/i.exec(address)?.[1]?.toLowerCase() ?? '';
  return SIMULATOR[name] ?? 'delivered';
}

const iso = (ms: number): string => new Date(ms).toISOString();

function commonHeaders(mail: SentMail): Record<string, unknown> {
  const lists = ['From', 'To', 'Cc', 'Reply-To']
    .map((name) => [name, valuesOf(mail.head, name)] as const)
    .filter(([, values]) => values.length > 0);
  const camel = (name: string): string => (name === 'Reply-To' ? 'replyTo' : name.toLowerCase());
  const subject = valuesOf(mail.head, 'Subject')[0];
  return {
    ...Object.fromEntries(lists.map(([name, values]) => [camel(name), values])),
    messageId: mail.messageId,
    ...(subject === undefined ? {} : { subject }),
  };
}

function mailObject(mail: SentMail, assembly: Assembly, account: Account): Record<string, unknown> {
  const address = addressesIn(mail.source)[0] ?? mail.source;
  const ownTags = Object.entries(mail.tags).map(([name, value]) => [name, [value]]);
  return {
    timestamp: iso(mail.sentAtMs),
    source: mail.source,
    sourceArn: identityArn(account, verifiedIdentity(assembly, address) ?? address),
    sendingAccountId: account.account,
    messageId: mail.messageId,
    destination: mail.recipients,
    headersTruncated: false,
    headers: mail.head.fields.filter(({ name }) => name !== '').map(({ name, value }) => ({ name, value })),
    commonHeaders: commonHeaders(mail),
    tags: {
      'ses:operation': ['SendRawEmail'],
      'ses:configuration-set': [mail.configurationSet],
      'ses:source-ip': ['127.0.0.1'],
      'ses:from-domain': [address.slice(address.lastIndexOf('@') + 1)],
      'ses:caller-identity': [mail.sender],
      ...Object.fromEntries(ownTags),
    },
  };
}

const feedbackId = (ms: number): string => `0100${ms.toString(16).padStart(12, '0')}-${randomUUID()}-000000`;

const delivery = (recipients: readonly string[], ms: number): Record<string, unknown> => ({
  timestamp: iso(ms),
  processingTimeMillis: 0,
  recipients,
  smtpResponse: '250 2.6.0 Message received',
  reportingMTA: 'a8-50.smtp-out.amazonses.com',
});

const HARD_BOUNCE = { action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' };
const ON_SUPPRESSION_LIST = {
  action: 'failed',
  status: '5.1.1',
  diagnosticCode: 'Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.',
};

function bounce(recipients: readonly string[], suppressed: boolean, ms: number): Record<string, unknown> {
  const reason = suppressed ? ON_SUPPRESSION_LIST : HARD_BOUNCE;
  return {
    feedbackId: feedbackId(ms),
    bounceType: 'Permanent',
    bounceSubType: suppressed ? 'Suppressed' : 'General',
    bouncedRecipients: recipients.map((emailAddress) => ({ emailAddress, ...reason })),
    timestamp: iso(ms),
    reportingMTA: suppressed ? 'dns; amazonses.com' : 'dns; a8-50.smtp-out.amazonses.com',
  };
}

const complaint = (recipients: readonly string[], ms: number): Record<string, unknown> => ({
  feedbackId: feedbackId(ms),
  complaintSubType: null,
  complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
  timestamp: iso(ms),
  userAgent: 'Amazon SES Mailbox Simulator',
  complaintFeedbackType: 'abuse',
  arrivalDate: iso(ms),
});

/** All events of a message in the order in which SES would send them: Send, deliveries, bounces, complaints. */
export function eventsOf(mail: SentMail, assembly: Assembly, account: Account): readonly SesEvent[] {
  const about = mailObject(mail, assembly, account);
  const ms = mail.sentAtMs;
  const having = (...outcomes: readonly Outcome[]): readonly string[] =>
    mail.recipients.filter((address) => outcomes.includes(outcomeOf(address)));
  const events: SesEvent[] = [{ eventType: 'Send', mail: about, send: {} }];
  // Who complains has received the mail before.
  const delivered = having('delivered', 'complained');
  if (delivered.length > 0) events.push({ eventType: 'Delivery', mail: about, delivery: delivery(delivered, ms) });
  for (const outcome of ['bounced', 'suppressed'] as const) {
    const bounced = having(outcome);
    if (bounced.length > 0) events.push({ eventType: 'Bounce', bounce: bounce(bounced, outcome === 'suppressed', ms), mail: about });
  }
  const complained = having('complained');
  if (complained.length > 0) events.push({ eventType: 'Complaint', complaint: complaint(complained, ms), mail: about });
  return events;
}
