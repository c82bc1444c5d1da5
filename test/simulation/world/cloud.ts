// The bucket, the queues and the provider of mail, in memory: as much of them as the functions use.
import { createHash } from 'node:crypto';
import { NoSuchKey } from '@aws-sdk/client-s3';

/** A message that the provider took. */
export interface TakenMessage {
  readonly wireId: string;
  readonly emailId: string;
  readonly wallet: string;
  readonly to: string;
}

export interface QueuedMessage {
  readonly queue: string;
  readonly body: string;
}

export interface Cloud {
  readonly objects: Map<string, Uint8Array>;
  readonly taken: TakenMessage[];
  readonly queued: QueuedMessage[];
}

export const emptyCloud = (): Cloud => ({ objects: new Map(), taken: [], queued: [] });

export interface Command {
  readonly input: object;
}

type Input = Readonly<Record<string, unknown>>;
type Handle = (cloud: Cloud, input: Input) => unknown;

const bytesOf = (body: unknown): Uint8Array => (typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array));

const getObject: Handle = ({ objects }, input) => {
  const bytes = objects.get(String(input['Key']));
  if (!bytes) throw new NoSuchKey({ message: 'simulated', $metadata: {} });
  const last = /^bytes=0-(\d+)$/.exec(String(input['Range'] ?? ''))?.[1];
  const shown = last === undefined ? bytes : bytes.subarray(0, Number(last) + 1);
  return { Body: { transformToByteArray: async () => shown } };
};

const deleteObjects: Handle = ({ objects }, input) => {
  const { Objects } = input['Delete'] as { Objects: readonly { Key: string }[] };
  for (const { Key } of Objects) objects.delete(Key);
  return {};
};

/** Of the message and its number, so that a seed repeats it; in the shape that SES gives. */
const wireIdOf = (cause: string): string => {
  const hex = createHash('sha256').update(cause).digest('hex');
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
  return `0100${hex.slice(32, 44)}-${uuid}-000000`;
};

const sendRawEmail: Handle = ({ taken }, input) => {
  const tags = (input['Tags'] ?? []) as readonly { Name: string; Value: string }[];
  const tag = (name: string): string => tags.find(({ Name }) => Name === name)?.Value ?? '';
  const wireId = wireIdOf(`${tag('email_id')} ${taken.length}`);
  const [to = ''] = input['Destinations'] as readonly string[];
  taken.push({ wireId, emailId: tag('email_id'), wallet: tag('wallet'), to });
  return { MessageId: wireId };
};

const queueNameOf = (input: Input): string => String(input['QueueUrl']).split('/').at(-1) ?? '';

const HANDLES: Readonly<Record<string, Handle>> = {
  PutObjectCommand: ({ objects }, input) => {
    objects.set(String(input['Key']), bytesOf(input['Body']));
    return {};
  },
  GetObjectCommand: getObject,
  DeleteObjectsCommand: deleteObjects,
  SendRawEmailCommand: sendRawEmail,
  SendBounceCommand: () => ({ MessageId: 'bounce' }),
  SendMessageCommand: ({ queued }, input) => {
    queued.push({ queue: queueNameOf(input), body: String(input['MessageBody']) });
    return { MessageId: 'queued' };
  },
  SendMessageBatchCommand: ({ queued }, input) => {
    for (const { MessageBody } of input['Entries'] as readonly { MessageBody: string }[])
      queued.push({ queue: queueNameOf(input), body: MessageBody });
    return { Failed: [] };
  },
  GetSecretValueCommand: () => ({ SecretString: JSON.stringify({ current: 'a secret of the simulation, long enough to sign with' }) }),
};

/** Answers one command; a command that nobody wrote a stand-in for is a fault of the simulator. */
export const answerCommand = async (cloud: Cloud, command: Command): Promise<unknown> => {
  const handle = HANDLES[command.constructor.name];
  if (!handle) throw new Error(`the simulation knows no ${command.constructor.name}`);
  return handle(cloud, command.input as Input);
};
