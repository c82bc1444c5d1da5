// The documents made from the rows: valid OpenAPI 3.1, complete, and readable by payment clients.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DiscoveryDocument } from 'mppx/discovery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { apiDocs } from '#contract/docs.ts';
import { ERROR_TABLE } from '#contract/errors.ts';
import { MessageReceivedEvent } from '#contract/events.ts';
import { EVENT_EXAMPLE } from '#contract/examples.ts';
import { llmsText } from '#contract/llms.ts';
import { openApiDocument } from '#contract/openapi.ts';
import { ROUTES, servedRoutes } from '#contract/routes.ts';
import { errorsOfRow } from '#contract/row-errors.ts';
import { API_VERSION, DEPRECATION_HEADER, SUNSET_DATE_DEFAULT, SUPPORTED_VERSIONS } from '#contract/versions.ts';
import { ERROR_CODES } from '#domain/errors.ts';

const BASE_URL = 'https://api.agents.test';
const run = promisify(execFile);

const Operation = z.looseObject({
  operationId: z.string(),
  deprecated: z.boolean().optional(),
  parameters: z.array(z.looseObject({})).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ examples: z.record(z.string(), z.unknown()), schemas: z.record(z.string(), z.unknown()) }),
});

const document = openApiDocument(BASE_URL);
const parsed = Document.parse(document);
const operations = Object.values(parsed.paths).flatMap((item) => Object.values(item));
const operationNamed = (operationId: string) => operations.find((operation) => operation.operationId === operationId);

describe('the OpenAPI document', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('default: passes the linter without an error', async () => {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const config =
      'extends: [recommended]\nrules:\n  operation-4xx-response: off\n  operation-2xx-response: off\n  no-unused-components: off\n';
    await writeFile(join(folder, 'redocly.yaml'), config);
    const linter = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '../bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

    const { stderr } = await run(process.execPath, [linter, 'lint', 'openapi.json', '--max-problems=20'], { cwd: folder, env });

    expect(stderr).toContain('is valid');
    expect(stderr).not.toMatch(/warning/i);
  }, 120_000);

  it('default: has one operation for every row', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toStrictEqual(ROUTES.map(({ operationId }) => operationId).sort());
  });

  it('behavior: each row documents every status it can answer with', () => {
    for (const row of ROUTES) {
      const statuses = [...Object.keys(row.responses), ...errorsOfRow(row).map((code) => String(ERROR_TABLE[code].status))];
      expect(Object.keys(operationNamed(row.operationId)?.responses ?? {}).sort(), row.operationId).toStrictEqual(
        [...new Set(statuses)].sort(),
      );
    }
  });

  it('behavior: every error code is told, and has an example where an operation answers with it', () => {
    for (const code of ERROR_CODES) expect(JSON.stringify(document), code).toContain(`\`${code}\``);
    // The 410 of a retired operation is described as its reply, with fields of its own.
    const answered = new Set(ROUTES.flatMap((row) => errorsOfRow(row)).filter((code) => code !== 'bonds_retired'));
    expect(Object.keys(parsed.components.examples).sort()).toStrictEqual([...answered].sort());
  });

  it('behavior: every reference points at something', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer]) => pointer ?? '');
    for (const pointer of new Set(references)) {
      const found = pointer.split('/').reduce<unknown>((value, step) => z.looseObject({}).safeParse(value).data?.[step], document);
      expect(found, pointer).toBeDefined();
    }
  });

  it('behavior: a subject with control characters is told to be what it is, 400', () => {
    const { subject } = z
      .looseObject({ properties: z.record(z.string(), z.unknown()) })
      .parse(parsed.components.schemas['SendEmailRequest']).properties;

    expect(subject).toMatchObject({ description: expect.stringMatching(/control character .* is 400/) });
  });

  it('behavior: query numbers are published as numbers, credentials and deprecations as the rows say', () => {
    const limit = operationNamed('listInbox')?.parameters?.find((parameter) => parameter['name'] === 'limit');

    expect(limit).toMatchObject({ in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 20 } });
    expect(operationNamed('authStart')?.security).toStrictEqual([]);
    expect(operationNamed('sendEmail')?.security).toStrictEqual([{ Bearer: [] }, { Payment: [] }]);
    expect(operations.filter(({ deprecated }) => deprecated).map(({ operationId }) => operationId)).toStrictEqual([
      'authNonce',
      'authMessage',
      'recordAttentionBond',
    ]);
  });

  it('behavior: a payment client finds both prices', () => {
    const discovered = DiscoveryDocument.safeParse(document);
    expect(discovered.success).toBe(true);
    const amounts = ROUTES.filter(({ payment }) => payment).map(
      ({ method, path }) => discovered.data?.paths?.[path]?.[method === 'POST' ? 'post' : 'get'],
    );

    expect(amounts.map((operation) => operation?.['x-payment-info']?.offers[0])).toMatchObject([
      { intent: 'charge', method: 'tempo', amount: '1000000' },
      { intent: 'charge', method: 'tempo', amount: '10000' },
    ]);
  });
});

describe('a deployment that takes no payments by call', () => {
  it.each([true, false])('behavior: takesPayments=%s: its descriptions speak of them accordingly', (takesPayments) => {
    const rows = servedRoutes({ takesPayments });
    const described = [openApiDocument(BASE_URL, rows), apiDocs(BASE_URL, rows), llmsText(BASE_URL, 'Agents', rows)];
    const word = /MPP|USDC\.e|"Payment"|`Payment`|Payment (scheme|credential)|payment_required|payment by call|can be paid/;
    const found = described.map((text) => word.test(JSON.stringify(text)));

    expect(found).toEqual([takesPayments, takesPayments, false]);
  });

  it('default: where they are taken, the operations tell how', () => {
    const texts = ['registerEmail', 'sendEmail'].map((operationId) => String(operationNamed(operationId)?.['description']));

    expect(texts.map((text) => /[\d.]+ USDC\.e/.exec(text)?.[0])).toEqual(['1.00 USDC.e', '0.01 USDC.e']);
  });
});

describe('the page for language models', () => {
  const page = llmsText(BASE_URL, 'Agents');

  it('default: has a title, a summary, links that are served, and a line for every operation', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link?.slice(BASE_URL.length));

    expect(page.split('\n').slice(0, 3)).toEqual(['# Agents', '', expect.stringMatching(/^> An email identity/)]);
    expect(links.filter((path) => !ROUTES.some((row) => row.path === path))).toEqual([]);
    for (const { method, path } of ROUTES) expect(page).toContain(`- \`${method} ${path}\``);
  });
});

describe('the reference', () => {
  it('default: names every endpoint and every code, with a description for each field', () => {
    const Field = z.looseObject({ name: z.string(), type: z.string(), description: z.string().min(3) });
    const Endpoint = z.looseObject({
      operation_id: z.string(),
      request: z.looseObject({ path: z.array(Field).optional(), query: z.array(Field).optional(), body: z.array(Field).optional() }),
      responses: z.record(z.string(), z.looseObject({ fields: z.array(Field).optional() })),
    });
    const Docs = z.looseObject({
      endpoints: z.array(Endpoint),
      errors: z.looseObject({ codes: z.array(z.looseObject({ code: z.string() })) }),
    });
    const docs = Docs.parse(apiDocs(BASE_URL));

    expect(docs.endpoints.length).toBe(ROUTES.length);
    expect(docs.errors.codes.map(({ code }) => code)).toStrictEqual([...ERROR_CODES]);
  });

  it('default: obeys the replies of its own rows', () => {
    const bodies: readonly (readonly [string, unknown])[] = [
      ['getDocs', apiDocs(BASE_URL)],
      ['getOpenApi', document],
    ];
    for (const [operationId, body] of bodies) {
      const schema = ROUTES.find((row) => row.operationId === operationId)?.responses[200]?.body;
      expect(schema?.safeParse(body).error, operationId).toBeUndefined();
    }
  });
});

describe('what is told of a sender', () => {
  it('behavior: only DMARC makes one verified; mail from inside has no such findings', () => {
    const { EmailAuth } = parsed.components.schemas as { EmailAuth?: { properties: { sender_verified: { description: string } } } };
    const told = EmailAuth?.properties.sender_verified.description;

    expect(told).toBe('Whether `from_addr` may be believed: DMARC passed.');
    expect(JSON.stringify(document)).toContain('null for mail from inside, whose sender the service itself has proven');
  });
});

describe('versions and events', () => {
  it('default: the deprecated operations keep working for at least 90 days after the announcement', () => {
    const announcedSeconds = Number(DEPRECATION_HEADER.slice(1));

    expect(DEPRECATION_HEADER).toBe('@1787875200');
    expect(Date.parse(SUNSET_DATE_DEFAULT) / 1000 - announcedSeconds).toBeGreaterThanOrEqual(90 * 86_400);
    expect(SUPPORTED_VERSIONS.map(({ version }) => version)).toContain(API_VERSION);
  });

  it('default: the example of a delivery obeys its schema', () => {
    expect(MessageReceivedEvent.safeParse(EVENT_EXAMPLE).error).toBeUndefined();
  });
});
