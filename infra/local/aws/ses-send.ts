// SES sending: checks a message as SES does, gives it SES's own Message-ID and Date, leaves it in the outbox and
// tells the configuration set's topics what became of it.
import type { Assembly } from '#infra/local/model.ts';
import { accountOf } from './arns.ts';
import type { AwsCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import { jsonReply, queryReply, type Reply } from './replies.ts';
import type { CallContext } from './call-context.ts';
import { addressesIn, rewriteHead, valuesOf } from './mail-head.ts';
import { mailDate, messageIdHeader, newMessageId, writeToOutbox } from './outbox.ts';
import { publishToTopic } from './queue-proxy.ts';
import { sendBounce } from './ses-bounce.ts';
import { eventsOf, type SentMail } from './ses-events.ts';
import { checkIdentities } from './ses-identities.ts';
import { type Submission, submissionOf } from './ses-submission.ts';

const MEBIBYTE = 1024 * 1024;
const RECIPIENTS_MAX = 50;
const TAGS_MAX = 50;

/** The two generations of the API refuse the same things under different names. */
interface Dialect {
  readonly bytesMax: number;
  readonly invalid: string;
  readonly unknownSet: readonly [number, string];
}

const V1: Dialect = { bytesMax: 10 * MEBIBYTE, invalid: 'InvalidParameterValue', unknownSet: [400, 'ConfigurationSetDoesNotExist'] };
const V2: Dialect = { bytesMax: 40 * MEBIBYTE, invalid: 'BadRequestException', unknownSet: [404, 'NotFoundException'] };

/** Fields that SES refuses to see twice; the rest of its list does not occur in mails of ours. */
const SINGLE_FIELDS = [
  'From',
  'Sender',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'Return-Path',
];

function checkMessage(submission: Submission, dialect: Dialect): void {
  const { raw, head, recipients } = submission;
  const invalid = (message: string): AwsError => new AwsError(400, dialect.invalid, message);
  if (raw.length > dialect.bytesMax) throw invalid(`Message length is more than ${dialect.bytesMax} bytes long: '${raw.length}'.`);
  if (valuesOf(head, 'From').length === 0) throw invalid("Missing required header 'From'.");
  const twice = SINGLE_FIELDS.find((name) => valuesOf(head, name).length > 1);
  if (twice) throw invalid(`Duplicate header '${twice}'.`);
  if (recipients.length === 0) throw invalid("Missing final '@domain'");
  if (recipients.length > RECIPIENTS_MAX) throw invalid(`Recipient count exceeds ${RECIPIENTS_MAX}.`);
}

const TAG_TEXT = /^[A-Za-z0-9_.@-]{1,256}$/;

function checkTags(submission: Submission, dialect: Dialect): void {
  const tags = Object.entries(submission.tags);
  const bad = tags.flat().find((part) => !TAG_TEXT.test(part));
  if (bad !== undefined)
    throw new AwsError(
      400,
      dialect.invalid,
      `Invalid message tag <${bad}>: only alphanumeric ASCII characters, '_', '-', '.' and '@' are allowed.`,
    );
  if (tags.length > TAGS_MAX) throw new AwsError(400, dialect.invalid, `Message tag count exceeds ${TAGS_MAX}.`);
}

function checkConfigurationSet(submission: Submission, assembly: Assembly, dialect: Dialect): void {
  const { configurationSet: name } = submission;
  if (name === undefined || assembly.configurationSets.some((set) => set.name === name)) return;
  throw new AwsError(...dialect.unknownSet, `Configuration set <${name}> does not exist.`);
}

function checkSubmission(submission: Submission, assembly: Assembly, region: string, dialect: Dialect): void {
  checkMessage(submission, dialect);
  checkTags(submission, dialect);
  checkConfigurationSet(submission, assembly, dialect);
  const senders = [submission.source, ...['From', 'Sender', 'Return-Path'].flatMap((name) => valuesOf(submission.head, name))];
  checkIdentities(assembly, region, senders.flatMap(addressesIn));
}

/** The message as it leaves: SES's own headers in, its instructions out, every other byte untouched. */
function asSent(submission: Submission, messageId: string, nowMs: number): Buffer {
  const instructions = submission.head.fields.map(({ name }) => name).filter((name) => /^x-ses-/i.test(name));
  return rewriteHead(submission.head, {
    ...Object.fromEntries(instructions.map((name) => [name, undefined])),
    'Message-ID': messageIdHeader(messageId),
    Date: mailDate(nowMs),
  });
}

/** Publishes the events that the configuration set wants, in order. The mail has left: a failure here is only reported. */
async function announce(mail: SentMail, context: CallContext): Promise<void> {
  const set = context.assembly.configurationSets.find(({ name }) => name === mail.configurationSet);
  for (const event of eventsOf(mail, context.assembly, accountOf(context.fn))) {
    const kind = event.eventType.toLowerCase();
    for (const destination of set?.destinations ?? []) {
      if (!destination.eventTypes.some((type) => type.toLowerCase() === kind)) continue;
      await publishToTopic(context.fauxqsUrl, destination.topicArn, JSON.stringify(event), 'Amazon SES Email Event Notification').catch(
        (error: unknown) => process.emitWarning(`SES event ${event.eventType} of ${mail.messageId} was not published: ${String(error)}`),
      );
    }
  }
}

async function accept(submission: Submission, context: CallContext): Promise<string> {
  const nowMs = context.clock.nowMs();
  const messageId = newMessageId(nowMs);
  await writeToOutbox(context.outboxDir, messageId, asSent(submission, messageId, nowMs));
  const { source, recipients, head, tags, configurationSet } = submission;
  if (configurationSet !== undefined) {
    await announce({ messageId, source, recipients, head, tags, configurationSet, sentAtMs: nowMs, sender: context.fn.name }, context);
  }
  return messageId;
}

/**
 * Answers an SES call: v1 SendRawEmail and SendBounce, v2 SendEmail.
 *
 * @throws AwsError as SES words it; MessageRejected for unverified senders
 */
export async function answerSes(call: AwsCall, context: CallContext): Promise<Reply> {
  if (call.protocol === 'query' && call.operation === 'SendBounce') return await sendBounce(call, context);
  const isV1 = call.protocol === 'query' && call.operation === 'SendRawEmail';
  const isV2 = call.protocol === 'rest-json' && call.operation === 'SendEmail';
  if (!isV1 && !isV2)
    throw new AwsError(400, isV1 ? 'InvalidAction' : 'BadRequestException', `The local stack does not implement SES ${call.operation}.`);
  const submission = submissionOf(call);
  checkSubmission(submission, context.assembly, call.region, isV1 ? V1 : V2);
  const messageId = await accept(submission, context);
  return isV1 ? queryReply(call, `<MessageId>${messageId}</MessageId>`) : jsonReply({ MessageId: messageId }, 'application/json');
}
