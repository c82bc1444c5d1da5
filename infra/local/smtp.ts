// SES receiving: an SMTP server that takes mail for the recipients of the receipt rules and hands it to their actions.
import { once } from 'node:events';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type Door, listenAt } from './held-port.ts';
import type { Clock, LocalReceiptRule } from './model.ts';
import { deliver } from './smtp/deliver.ts';
import { asReceived, type ReceivedMail } from './smtp/received-mail.ts';
import { matchesRule } from './smtp/receipt-rules.ts';

export interface SmtpOptions {
  readonly port: Door;
  /** The rules as they stand when a mail comes in. */
  readonly rules: () => readonly LocalReceiptRule[];
  /** Where S3 and SNS are. */
  readonly fauxqsUrl: string;
  readonly clock: Clock;
}

export interface RunningSmtp {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** What SES accepts, after transfer encoding. */
const MAIL_BYTES_MAX = 40 * 1024 * 1024;
const CLOSE_MS_MAX = 1000;

/** Starts the server. Throws when the port is taken. */
export async function startSmtp(options: SmtpOptions): Promise<RunningSmtp> {
  const server = new SMTPServer({
    name: 'inbound-smtp.us-east-1.amazonaws.com',
    banner: 'local stand-in for Amazon SES',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: MAIL_BYTES_MAX,
    closeTimeout: CLOSE_MS_MAX,
    onRcptTo: ({ address }, _session, answer) => {
      const isTaken = options.rules().some((rule) => matchesRule(rule, address));
      answer(isTaken ? null : refusal(550, 'Requested action not taken: mailbox unavailable'));
    },
    onData: (stream, session, answer) => {
      receive(stream, session, options).then((text) => answer(null, text), answer);
    },
  });
  // A client that breaks off is its own affair; without a listener it would end the process.
  server.on('error', () => undefined);
  const listener = listenAt(server, options.port);
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { host: '127.0.0.1', port: address.port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Answers the text of the 250, which is not given before the mail is kept. Throws the refusal. */
async function receive(stream: SMTPServerDataStream, session: SMTPServerSession, options: SmtpOptions): Promise<string> {
  const raw = await readBounded(stream);
  if (raw === undefined) throw refusal(552, 'Message size exceeds the maximum of 40 MB');
  const mail = describe(raw, session, options.clock);
  try {
    await deliver(mail, options.rules(), options.fauxqsUrl);
  } catch (error) {
    process.stderr.write(`smtp: mail not taken: ${error instanceof Error ? error.message : String(error)}\n`);
    throw refusal(451, 'Requested action aborted: local error in processing');
  }
  return `OK ${mail.messageId}`;
}

function describe(raw: Buffer, session: SMTPServerSession, clock: Clock): ReceivedMail {
  const { mailFrom, rcptTo } = session.envelope;
  return asReceived({
    source: mailFrom ? mailFrom.address : '',
    recipients: rcptTo.map(({ address }) => address),
    clientAddress: session.remoteAddress,
    clientName: session.hostNameAppearsAs || 'unknown',
    receivedMs: clock.nowMs(),
    raw,
  });
}

/** Reads to the end, which the protocol asks for, and keeps the bytes while they are within bounds. */
async function readBounded(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAIL_BYTES_MAX) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes <= MAIL_BYTES_MAX ? Buffer.concat(chunks) : undefined;
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
