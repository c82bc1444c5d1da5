// The functions as they are deployed, loaded once with the settings of the simulation.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { TABLE_NAME } from './table-server.ts';

export const MAIL_DOMAIN = 'agents.example';
export const DEPOSIT_ADDRESS = `0x${'d'.repeat(40)}` as const;
export const WAVE_ID = 'wave-of-the-simulation';
export const SECRET_ID = 'simulation';

const SETTINGS: Readonly<Record<string, string>> = {
  STAGE: 'local',
  TABLE_NAME,
  MAIL_DOMAIN,
  DEPOSIT_ADDRESS,
  BASE_URL: 'https://agents.example',
  OPERATOR_EMAIL: 'operator@elsewhere.example',
  MAIL_BUCKET: 'simulation',
  CONFIGURATION_SET: 'simulation',
  SIGNING_SECRET: SECRET_ID,
  SEALING_SECRET: SECRET_ID,
  UNFINISHED_QUEUE_URL: 'https://queues.example/unfinished',
  INBOUND_QUEUE_URL: 'https://queues.example/inbound',
  DELIVERIES_QUEUE_URL: 'https://queues.example/deliveries',
  RETRIES_QUEUE_URL: 'https://queues.example/retries',
  AIRDROP_WAVES: JSON.stringify([
    { id: WAVE_ID, name: 'Wave', badge: 'B', multiplier: 1.5, opens_at: '2026-01-01T00:00:00Z', closes_at: null, amount_max: 40 },
  ]),
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'SIMULATION',
  AWS_SECRET_ACCESS_KEY: 'simulation',
};

export type HttpFunction = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;
export interface BatchReply {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}
export type BatchFunction = (event: { readonly Records: readonly unknown[] }) => Promise<BatchReply>;
export type ImportFunction = (
  event: unknown,
) => Promise<{ readonly imported: number; readonly refused: readonly { readonly error: string }[] }>;
export type ScheduledFunction = (event: unknown, context: Context) => Promise<void>;

export interface Functions {
  readonly sending: HttpFunction;
  readonly mailbox: HttpFunction;
  readonly attn: HttpFunction;
  readonly payments: HttpFunction;
  readonly airdrop: HttpFunction;
  readonly registration: HttpFunction;
  readonly aliases: HttpFunction;
  readonly settings: HttpFunction;
  readonly attention: HttpFunction;
  readonly onMailReceived: BatchFunction;
  readonly onMailUnfinished: BatchFunction;
  readonly onMailboxChange: BatchFunction;
  readonly onSesEvent: BatchFunction;
  readonly onStakesDue: ScheduledFunction;
  readonly onOutboxDue: ScheduledFunction;
  readonly onPaymentsDue: ScheduledFunction;
  readonly onBondsDue: ScheduledFunction;
  readonly onBondsImported: ImportFunction;
}

export type HttpFunctionName =
  | 'sending'
  | 'mailbox'
  | 'attn'
  | 'payments'
  | 'airdrop'
  | 'registration'
  | 'aliases'
  | 'settings'
  | 'attention';

const FILES: Readonly<Record<keyof Functions, string>> = {
  sending: 'sending/http.ts',
  mailbox: 'mailbox/http.ts',
  attn: 'attn/http.ts',
  payments: 'payments/http.ts',
  airdrop: 'airdrop/http.ts',
  registration: 'registration/http.ts',
  aliases: 'aliases/http.ts',
  settings: 'settings/http.ts',
  attention: 'attention/http.ts',
  onMailReceived: 'mailbox/on-mail-received.ts',
  onMailUnfinished: 'mailbox/on-mail-unfinished.ts',
  onMailboxChange: 'mailbox/on-mailbox-change.ts',
  onSesEvent: 'sending/on-ses-event.ts',
  onStakesDue: 'attn/on-stakes-due.ts',
  onOutboxDue: 'sending/on-outbox-due.ts',
  onPaymentsDue: 'payments/on-payments-due.ts',
  onBondsDue: 'attention/on-bonds-due.ts',
  onBondsImported: 'attention/on-bonds-imported.ts',
};

/** Loads the functions against a table; the interception must be installed before. */
export const loadFunctions = async (tableUrl: string): Promise<Functions> => {
  Object.assign(process.env, SETTINGS, { AWS_ENDPOINT_URL_DYNAMODB: tableUrl });
  const loaded = await Promise.all(
    Object.entries(FILES).map(async ([name, file]) => {
      const { handler } = (await import(new URL(`../../../functions/${file}`, import.meta.url).href)) as { handler: unknown };
      return [name, handler];
    }),
  );
  return Object.fromEntries(loaded) as Functions;
};
