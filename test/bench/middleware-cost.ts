// What the HTTP stack costs a request in CPU time, over the bare handler inside it: the same row, the same reply, with
// storage that answers at once.
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { defineRoute } from '#contract/define-route.ts';
import { ok } from '#domain/errors.ts';
import { type Account, NO_MAIL } from '#domain/identity/account.ts';
import type { Gate } from '#domain/ports/gate.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { toResult } from '#http/to-result.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';
const CALLS = 4000;

const routes = {
  measured: defineRoute({
    operationId: 'measured',
    method: 'GET',
    path: '/measured/{id}',
    area: 'mailbox',
    access: 'account',
    summary: 'Measured',
    description: 'A row like any other.',
    params: z.object({ id: z.string() }),
    query: z.object({ limit: z.coerce.number().int().min(1).default(20) }),
    responses: { 200: { description: 'A reply.', body: z.looseObject({ id: z.string() }) } },
    errors: [],
  }),
};

const account = {
  wallet: WALLET,
  handle: 'measured',
  basename: null,
  source: 'address',
  tier: 'free',
  credits: 0n,
  attn: 0n,
  earnings: { day: 0, earned: 0n },
  lastClaimDay: -1,
  receivePrice: 3n,
  mail: NO_MAIL,
  isHuman: false,
  registeredAt: 0,
} as unknown as Account;

const unused = async (): Promise<never> => Promise.reject(new Error('not part of the measured request'));

const gate = {
  credentials: { walletOf: async () => ok(WALLET) },
  accounts: { byWallet: async () => account },
  idempotency: { claim: unused, finish: unused, release: unused },
  sealer: { seal: unused, open: unused },
} as unknown as Gate;

const eventOf = (): APIGatewayProxyEventV2 =>
  ({
    version: '2.0',
    routeKey: 'GET /measured/{id}',
    rawPath: '/measured/1',
    rawQueryString: 'limit=5',
    headers: { authorization: 'Bearer token', 'user-agent': 'bench', accept: '*/*' },
    pathParameters: { id: '1' },
    queryStringParameters: { limit: '5' },
    isBase64Encoded: false,
    requestContext: { requestId: 'r', domainName: 'localhost', http: { method: 'GET', path: '/measured/1', sourceIp: '127.0.0.1' } },
  }) as unknown as APIGatewayProxyEventV2;

const cpuMsPerCall = async (call: () => Promise<unknown>): Promise<number> => {
  for (let i = 0; i < CALLS / 4; i += 1) await call();
  const before = process.cpuUsage();
  for (let i = 0; i < CALLS; i += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / CALLS;
};

/** CPU milliseconds that the stack adds to a request. */
export const middlewareCpuMs = async (): Promise<number> => {
  const bare = async () => toResult({ status: 200, body: { id: '1' } });
  const handler = areaHandler(
    routes,
    { gate, baseUrl: '', sunsetDate: '2027-08-28' },
    { measured: async ({ params }) => answerWith({ id: params.id }) },
  );
  const context = {} as Context;
  return (await cpuMsPerCall(() => handler(eventOf(), context))) - (await cpuMsPerCall(bare));
};
