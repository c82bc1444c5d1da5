// The world of one run: its agents, its clock, its cloud and chain, and what was promised to whom.
import type { Context } from 'aws-lambda';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openTable, type Table } from '#adapters/dynamo/table.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { openTokens } from '#adapters/tokens/session-tokens.ts';
import type { Folder, MailRow } from '#domain/mail/mail.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import type { Random } from '../random.ts';
import type { Chain } from './chain.ts';
import type { Cloud } from './cloud.ts';
import { type Functions, type HttpFunctionName, MAIL_DOMAIN, SECRET_ID } from './functions.ts';
import type { Journal, LateCall } from './scheduler.ts';
import { TABLE_NAME } from './table-server.ts';
import type { TableStream } from './table-stream.ts';

/** A message that an agent sent. */
export interface SentPromise {
  readonly subject: string;
  readonly sender: Wallet;
  readonly isExternal: boolean;
  /** The id of the message once the sender was answered 200. */
  emailId?: string;
  delivery?: string;
}

/** A message from outside and whom it was for. */
export interface ReceivedPromise {
  readonly subject: string;
  readonly owners: readonly Wallet[];
  /** Whether its queue message was dealt with. */
  isDone: boolean;
}

export interface ReportedDelivery {
  readonly emailId: string;
  readonly type: string;
  readonly at: number;
}

export interface World extends Journal {
  readonly functions: Functions;
  readonly cloud: Cloud;
  readonly chain: Chain;
  readonly stream: TableStream;
  readonly table: Table;
  readonly wallets: readonly Wallet[];
  readonly late: LateCall[];
  readonly lines: string[];
  readonly sent: SentPromise[];
  readonly received: ReceivedPromise[];
  /** Copies that somebody tried to delete: `<owner>/<id>`. */
  readonly deleted: Set<string>;
  /** Events that the function was done with. */
  readonly reported: ReportedDelivery[];
  /** When the outbox was swept. */
  readonly sweptAt: number[];
  /** What the agents begin the first day with, earned already. */
  readonly earnedBefore: Map<string, bigint>;
  /** The agent that much of the present group of steps is about, so that they get into each other's way. */
  focus: Wallet | undefined;
  /** Unix seconds. */
  now: number;
  nowMs(): number;
}

export const newWorld = (parts: Pick<World, 'functions' | 'cloud' | 'chain' | 'stream' | 'wallets' | 'now'>): World => {
  const lines: string[] = [];
  const world: World = {
    ...parts,
    table: openTable(TABLE_NAME),
    late: [],
    lines,
    sent: [],
    received: [],
    deleted: new Set(),
    reported: [],
    sweptAt: [],
    earnedBefore: new Map(),
    focus: undefined,
    note: (line) => void lines.push(line),
    nowMs: () => world.now * 1000,
  };
  return world;
};

const FOREVER_MS = 900_000;

export const CONTEXT = { getRemainingTimeInMillis: () => FOREVER_MS } as unknown as Context;

export interface Request {
  readonly wallet: Wallet;
  readonly area: HttpFunctionName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the route has it, such as `/api/inbox/{id}`. */
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

let requestCount = 0;

/** Each wallet calls from an address of its own. */
const addressOf = (wallet: Wallet): string => `10.0.0.${(Number.parseInt(wallet.slice(2, 4), 16) % 250) + 1}`;

const eventOf = (request: Request, token: string, sourceIp: string): unknown => {
  const { method, route, params = {}, query, body, idempotencyKey } = request;
  const path = Object.entries(params).reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), route);
  const routeKey = `${method} ${route}`;
  requestCount += 1;
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(query && { queryStringParameters: query }),
    pathParameters: params,
    requestContext: { domainName: MAIL_DOMAIN, requestId: `r${requestCount}`, routeKey, http: { method, path, sourceIp } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
};

const tokens = openTokens({ secret: openSecret(SECRET_ID), audience: MAIL_DOMAIN });

/** Makes one HTTP request of an agent, in process. */
export const callApi = async (world: World, request: Request): Promise<Reply> => {
  const { wallet, area } = request;
  const token = await tokens.issue({ wallet, handle: wallet, issuer: 'simulation', now: world.now });
  const event = eventOf(request, token, addressOf(wallet)) as Parameters<Functions[HttpFunctionName]>[0];
  const { statusCode = 0, body } = await world.functions[area](event, CONTEXT);
  return { status: statusCode, body: body === undefined || body === '' ? {} : (JSON.parse(body) as Reply['body']) };
};

/** Who does something: the one in focus as often as not, and the one that begins without an account least often. */
export const someAgent = ({ wallets, focus }: World, random: Random): Wallet => {
  if (focus && random.chance(0.5)) return focus;
  return random.pick(random.chance(0.85) ? wallets.slice(0, -1) : wallets);
};

/** What lies in a folder of an agent now, in the order of the inbox. */
export const folderOf = async (world: World, owner: Wallet, folder: Folder): Promise<readonly MailRow[]> =>
  (await openMailboxes(world.table).list({ owner, folder, limit: 100, offset: 0 })).rows;
