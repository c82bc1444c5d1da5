// What bundles leave out of their libraries, and that these do their work all the same: an SDK client signs, retries and
// reads answers, zod checks and renders, discovery describes the service without a table.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openApiDocument } from '#contract/openapi.ts';
import { ROUTES, servedRoutes } from '#contract/routes.ts';
import { buildBundles } from '#infra/build.ts';
import { type BundleReport, bundleAll } from '#infra/bundle.ts';
import { checkout, removeCheckouts } from './checkout.ts';

const load = <T>(path: string): T => createRequire(import.meta.url)(path) as T;
const ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  TABLE_NAME: 'table',
  MAIL_DOMAIN: 'mail.test',
  BASE_URL: '',
};
const before = { ...process.env };
beforeEach(() => {
  process.env = { ...before, ...ENVIRONMENT };
});
afterAll(() => {
  process.env = before;
  removeCheckouts();
});

const FUNCTION = `
  import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
  import * as z from 'zod';
  const schema = z.object({ name: z.string().min(1).max(9), count: z.int().optional(), tags: z.array(z.enum(['a', 'b'])) });
  export const readItem = async (endpoint) => {
    const reply = await new DynamoDBClient({ region: 'us-east-1', endpoint }).send(new GetItemCommand({ TableName: 't', Key: { k: { S: 'é' } } }));
    return reply.Item;
  };
  export const region = () => new DynamoDBClient({}).config.region();
  export const render = () => z.toJSONSchema(schema);
  export const accepts = (value) => schema.safeParse(value).success;`;

interface Bundled {
  readonly readItem: (endpoint: string) => Promise<unknown>;
  readonly region: () => Promise<string>;
  readonly render: () => unknown;
  readonly accepts: (value: unknown) => boolean;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The Authorization header that Signature Version 4 asks of this request, from the headers that it says are signed. */
const expectedAuthorization = ({ method, url, headers }: IncomingMessage, body: string): string => {
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url, '', lines.join(''), signed, sha256(body)].join('\n');
  const at = String(headers['x-amz-date']);
  const scope = [at.slice(0, 8), 'us-east-1', 'dynamodb', 'aws4_request'];
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${ENVIRONMENT.AWS_SECRET_ACCESS_KEY}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', at, scope.join('/'), sha256(canonical)].join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${ENVIRONMENT.AWS_ACCESS_KEY_ID}/${scope.join('/')}, SignedHeaders=${signed}, Signature=${signature}`;
};

describe('a function with the SDK and zod', () => {
  let bundled: Bundled;
  let server: Server;
  let endpoint = '';
  const signatures: (readonly [string | undefined, string])[] = [];
  beforeAll(async () => {
    const root = checkout({ 'functions/mailbox/http.ts': FUNCTION });
    await bundleAll(root);
    bundled = load<Bundled>(join(root, '.build/functions/mailbox-http/index.js'));
    server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += part;
      signatures.push([request.headers.authorization, expectedAuthorization(request, body)]);
      const isFirst = signatures.length === 1;
      response.writeHead(isFirst ? 500 : 200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(isFirst ? { __type: 'InternalServerError' } : { Item: { k: { S: 'é' }, n: { N: '7' } } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    signatures.length = 0;
  });
  afterAll(() => server.close());

  it.each(['standard', 'adaptive'])('signs by itself and tries again after a server error, in the %s mode', async (mode) => {
    process.env['AWS_RETRY_MODE'] = mode;

    expect(await bundled.readItem(endpoint)).toEqual({ k: { S: 'é' }, n: { N: '7' } });

    expect(signatures).toHaveLength(2);
    for (const [sent, expected] of signatures) expect(sent).toBe(expected);
  });

  it('asks no metadata service where the environment names no region', async () => {
    delete process.env['AWS_REGION'];
    process.env['AWS_CONFIG_FILE'] = process.env['AWS_SHARED_CREDENTIALS_FILE'] = '/dev/null';
    await expect(bundled.region()).rejects.toThrow('Region is missing');
  });

  it('checks, and renders JSON Schema where it asks for it', () => {
    expect(bundled.accepts({ name: 'x', tags: ['a'] })).toBe(true);
    expect(bundled.accepts({ name: '', tags: ['c'] })).toBe(false);
    expect(bundled.render()).toMatchObject({
      type: 'object',
      required: ['name', 'tags'],
      properties: { name: { type: 'string', minLength: 1, maxLength: 9 }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
    });
  });
});

describe('the service’s functions', () => {
  let report: BundleReport;
  beforeAll(async () => {
    report = await buildBundles();
  }, 120_000);
  const codeOf = (name: string): string => readFileSync(join(report.functionsDir, name, 'index.js'), 'utf8');

  it('hold nothing of what only others need', () => {
    const traces = /_zod\.processJSONSchema=|169\.254\.169\.254|measuredTxRate|:event-type/;
    for (const { name } of report.functions) expect(traces.exec(codeOf(name))?.[0], name).toBeUndefined();
  });

  it('describe the service without the SDK, in the words of the contract', async () => {
    expect(codeOf('discovery-http')).not.toContain('AWS4-HMAC-SHA256');
    const { handler } = load<{ readonly handler: (event: unknown, context: unknown) => Promise<{ readonly body: string }> }>(
      join(report.functionsDir, 'discovery-http/index.js'),
    );
    const event = (path: string) => ({
      routeKey: `GET ${path}`,
      rawPath: path,
      rawQueryString: '',
      headers: { host: 'api.test', 'x-forwarded-proto': 'https' },
      requestContext: { requestId: 'r', domainName: 'api.test', http: { method: 'GET', path, sourceIp: '192.0.2.1' } },
    });

    const document = JSON.parse((await handler(event('/api/openapi.json'), {})).body) as unknown;
    const docs = JSON.parse((await handler(event('/api/docs'), {})).body) as { readonly endpoints: readonly unknown[] };

    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument('https://api.test', servedRoutes({ takesPayments: false })))));
    expect(docs.endpoints).toHaveLength(ROUTES.length);
  });
});
