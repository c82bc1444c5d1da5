// SMTP server and emulator as the stack wires them: a bucket, and a topic that feeds a queue.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { createTransport } from 'nodemailer';
import type { LocalReceiptRule } from '#infra/local/model.ts';
import { type RunningSmtp, startSmtp } from '#infra/local/smtp.ts';

export const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
export const TOPIC_ARN = 'arn:aws:sns:eu-west-1:000000000000:mail';

export interface Notification {
  readonly notificationType: string;
  readonly mail: {
    readonly timestamp: string;
    readonly source: string;
    readonly messageId: string;
    readonly destination: readonly string[];
    readonly headersTruncated: boolean;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly commonHeaders: Readonly<Record<string, unknown>>;
  };
  readonly receipt: Readonly<Record<string, unknown>> & {
    readonly recipients: readonly string[];
    readonly action: Readonly<Record<string, string>>;
  };
}

export interface World {
  readonly smtp: RunningSmtp;
  readonly emulator: FauxqsServer;
  rules: LocalReceiptRule[];
  /** Notifications that wait in the queue. */
  notifications(): readonly Notification[];
  /** The stored object that a notification names. */
  stored(notification: Notification): Promise<Buffer>;
  transport(): ReturnType<typeof createTransport>;
  stop(): Promise<void>;
}

export const ruleFor = (...recipients: string[]): LocalReceiptRule => ({
  name: 'inbound',
  recipients,
  scanEnabled: true,
  s3: { bucket: 'mail-bucket', prefix: 'inbound/', topicArn: TOPIC_ARN },
});

export async function startWorld(): Promise<World> {
  const emulator = await startFauxqs({ port: 0, logger: false });
  const region = 'eu-west-1';
  emulator.setup({
    queues: [{ name: 'received', region }],
    topics: [{ name: 'mail', region }],
    subscriptions: [{ topic: 'mail', queue: 'received', region, attributes: { RawMessageDelivery: 'true' } }],
    buckets: ['mail-bucket'],
  });
  const rules = () => world.rules;
  const smtp = await startSmtp({ port: 0, rules, fauxqsUrl: emulator.address, clock: { nowMs: () => NOW_MS } });
  const world: World = {
    smtp,
    emulator,
    rules: [ruleFor('agents.test')],
    notifications: () => waiting(emulator),
    stored: async ({ receipt }) => {
      const reply = await fetch(`${emulator.address}/${receipt.action['bucketName']}/${receipt.action['objectKey']}`);
      if (!reply.ok) throw new Error(`no such object: ${reply.status}`);
      return Buffer.from(await reply.arrayBuffer());
    },
    transport: () => createTransport({ host: smtp.host, port: smtp.port, ignoreTLS: true }),
    stop: async () => {
      await smtp.close();
      await emulator.stop();
    },
  };
  return world;
}

function waiting(emulator: FauxqsServer): readonly Notification[] {
  return (emulator.inspectQueue('received')?.messages.ready ?? []).map((message) => JSON.parse(message.body) as Notification);
}

/** Speaks SMTP line by line, for what a mail library would tidy up. Answers the reply to each line or block of bytes. */
export async function converse(smtp: RunningSmtp, ...said: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const socket = connect(smtp.port, smtp.host);
  const replies = createInterface(socket)[Symbol.asyncIterator]();
  const heard = async (): Promise<string> => {
    const { value, done } = await replies.next();
    if (done) throw new Error('the server hung up');
    // `250-` announces another line of the same reply.
    return /^\d{3}-/.test(value) ? heard() : value;
  };
  try {
    const answers = [await heard()];
    for (const line of said) {
      socket.write(typeof line === 'string' ? `${line}\r\n` : line);
      answers.push(await heard());
    }
    return answers;
  } finally {
    socket.destroy();
  }
}
