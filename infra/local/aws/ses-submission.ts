// Reads what the two SES APIs hand in (v1 SendRawEmail in form fields, v2 SendEmail in JSON) as one thing, and says
// which identity and configuration set a call uses, since those are what IAM asks about.
import type { Assembly } from '#infra/local/model.ts';
import { type Account, configurationSetArn, identityArn } from './arns.ts';
import type { AwsCall } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import type { Permission } from './iam.ts';
import { addressesIn, type MailHead, parseHead, valuesOf } from './mail-head.ts';
import { verifiedIdentity } from './ses-identities.ts';

export interface Submission {
  /** As the caller wrote it, display name included. */
  readonly source: string;
  /** Bare addresses. */
  readonly recipients: readonly string[];
  readonly raw: Buffer;
  readonly head: MailHead;
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSet: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** `Destinations.member.1`, `Destinations.member.2`, ... of a form, in order. */
function members(form: Fields, prefix: string, suffix = ''): readonly string[] {
  const values: string[] = [];
  for (let index = 1; ; index += 1) {
    const value = form[`${prefix}.member.${index}${suffix}`];
    if (typeof value !== 'string') return values;
    values.push(value);
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

interface Parameters {
  readonly source: string | undefined;
  readonly recipients: readonly string[];
  readonly data: string;
  readonly tags: readonly (readonly [string, string])[];
  readonly configurationSet: string | undefined;
}

function formParameters(form: Fields): Parameters {
  const names = members(form, 'Tags', '.Name');
  const values = members(form, 'Tags', '.Value');
  return {
    source: text(form['Source']),
    recipients: members(form, 'Destinations').flatMap(addressesIn),
    data: String(form['RawMessage.Data'] ?? ''),
    tags: names.map((name, index) => [name, values[index] ?? '']),
    configurationSet: text(form['ConfigurationSetName']),
  };
}

interface JsonInput {
  readonly FromEmailAddress?: string;
  readonly Destination?: {
    readonly ToAddresses?: readonly string[];
    readonly CcAddresses?: readonly string[];
    readonly BccAddresses?: readonly string[];
  };
  readonly Content?: { readonly Raw?: { readonly Data?: string } };
  readonly EmailTags?: readonly { readonly Name: string; readonly Value: string }[];
  readonly ConfigurationSetName?: string;
}

function jsonParameters(input: JsonInput): Parameters {
  const { ToAddresses: to = [], CcAddresses: cc = [], BccAddresses: bcc = [] } = input.Destination ?? {};
  const data = input.Content?.Raw?.Data;
  if (data === undefined) throw new AwsError(400, 'BadRequestException', 'The local stack sends raw messages only (Content.Raw).');
  return {
    source: text(input.FromEmailAddress),
    recipients: [...to, ...cc, ...bcc].flatMap(addressesIn),
    data,
    tags: (input.EmailTags ?? []).map(({ Name: name, Value: value }) => [name, value]),
    configurationSet: text(input.ConfigurationSetName),
  };
}

/** Tags in the header form: `a=1, b=2`. */
function headerTags(head: MailHead): readonly (readonly [string, string])[] {
  const pairs = valuesOf(head, 'X-SES-MESSAGE-TAGS').flatMap((value) => value.split(/[,;]/));
  return pairs
    .filter((pair) => pair.includes('='))
    .map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    });
}

function compose(parameters: Parameters): Submission {
  const raw = Buffer.from(parameters.data, 'base64');
  const head = parseHead(raw);
  const inHeaders = ['To', 'Cc', 'Bcc'].flatMap((name) => valuesOf(head, name)).flatMap(addressesIn);
  return {
    source: parameters.source ?? valuesOf(head, 'From')[0] ?? '',
    recipients: parameters.recipients.length > 0 ? parameters.recipients : inHeaders,
    raw,
    head,
    tags: Object.fromEntries([...headerTags(head), ...parameters.tags]),
    configurationSet: parameters.configurationSet ?? valuesOf(head, 'X-SES-CONFIGURATION-SET')[0],
  };
}

const submissions = new WeakMap<AwsCall, Submission>();

/** Reads the message of SendRawEmail or SendEmail; the permission check and the sending share the one reading. */
export function submissionOf(call: AwsCall): Submission {
  const known = submissions.get(call);
  if (known) return known;
  const submission = compose(call.protocol === 'query' ? formParameters(call.input) : jsonParameters(call.input as JsonInput));
  submissions.set(call, submission);
  return submission;
}

function onIdentity(
  actions: readonly string[],
  assembly: Assembly,
  account: Account,
  source: string,
  recipients: readonly string[],
): Permission {
  const address = addressesIn(source)[0] ?? source;
  const resource = identityArn(account, verifiedIdentity(assembly, address) ?? address);
  return { actions, resource, context: { 'ses:FromAddress': [address], 'ses:Recipients': recipients } };
}

/** The permissions that an SES call needs: on the identity, and on the configuration set when it names one. */
export function sesPermissions(call: AwsCall, assembly: Assembly, account: Account): readonly Permission[] {
  if (call.operation === 'SendBounce') {
    return [onIdentity(['ses:SendBounce'], assembly, account, String(call.input['BounceSender'] ?? ''), [])];
  }
  if (call.operation !== 'SendRawEmail' && call.operation !== 'SendEmail') {
    return [{ actions: [`ses:${call.operation}`], resource: '*', context: {} }];
  }
  const { source, recipients, configurationSet } = submissionOf(call);
  const actions = call.operation === 'SendRawEmail' ? ['ses:SendRawEmail'] : ['ses:SendEmail', 'ses:SendRawEmail'];
  const identity = onIdentity(actions, assembly, account, source, recipients);
  if (configurationSet === undefined) return [identity];
  return [identity, { ...identity, resource: configurationSetArn(account, configurationSet) }];
}
