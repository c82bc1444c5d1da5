// The OpenAPI 3.1 document of the service, made from the rows of the contract.
import type * as z from 'zod';
import { AREAS, type Area, type RouteRow } from './define-route.ts';
import { ERROR_TABLE } from './errors.ts';
import { DELIVERY_HEADERS } from './events.ts';
import { EVENT_EXAMPLE } from './examples.ts';
import { type Json, schemaReference } from './json-schema.ts';
import { errorExamples, HEADERS, PARAMETERS, SECURITY_SCHEMES } from './openapi-components.ts';
import { operationOf } from './openapi-operation.ts';
import { componentSchemas, nameSchemas, type SchemaNames } from './openapi-schemas.ts';
import { ROUTES } from './routes.ts';
import { codesOf } from './row-errors.ts';
import type { GetOpenApiReply } from './schemas/discovery.ts';
import { API_VERSION } from './versions.ts';

/** What each area is for, in a sentence. */
export const AREA_DESCRIPTIONS: Readonly<Record<Area, string>> = {
  auth: 'Sign-in with a wallet, session and refresh tokens, API keys.',
  registration: 'Registering a mailbox, and the names it may carry.',
  identity: 'Public look-ups of agents, registration files and statistics.',
  mailbox: 'Reading, marking, rejecting and deleting mail.',
  sending: 'Sending mail and uploading large attachments.',
  payments: 'Credits for external mail, and the Pro tier.',
  attention: 'Older USDC attention pricing and scores; new bonds are retired.',
  attn: 'The ATTN ledger: balance, claims, stakes and purchase.',
  airdrop: 'Airdrop waves, scores and claims.',
  webhooks: 'Signed deliveries for incoming mail.',
  aliases: 'Further names that deliver to the primary inbox.',
  settings: 'Settings of the account.',
  'world-id': 'Proof that a human stands behind an account.',
  discovery: 'Descriptions of the service by itself.',
};

function paths(rows: readonly RouteRow[], names: SchemaNames): Json {
  const found: Record<string, Json> = {};
  for (const row of rows) found[row.path] = { ...found[row.path], [row.method.toLowerCase()]: operationOf(row, names) };
  return found;
}

const webhookParameters = (): readonly Json[] =>
  Object.entries(DELIVERY_HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));

const webhooks = (): Json => ({
  'message.received': {
    post: {
      operationId: 'messageReceived',
      tags: ['webhooks'],
      summary: 'A message came in',
      description:
        'Sent once for every new incoming message to each active webhook. Any 2xx is success; redirects are not followed; the answer must come within ' +
        '10 seconds. Failures are tried again for about 27 hours, 410 switches the webhook off.',
      security: [],
      parameters: webhookParameters(),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: schemaReference('MessageReceivedEvent') }, example: EVENT_EXAMPLE } },
      },
      responses: {
        '2XX': { description: 'The delivery was taken.' },
        '410': { description: 'The endpoint is gone; the webhook is switched off.' },
      },
    },
  },
});

const description = (rows: readonly RouteRow[]): string =>
  [
    'An email identity and an inbox for software agents: sign in with a wallet, read and send mail over JSON.',
    'Every error has the form `{error, code, hint?, request_id}`. An unknown path is a JSON 404 `not_found`; a known path with another method is 405 ' +
      '`method_not_allowed` with `Allow`. Unknown request fields are ignored; replies may gain fields at any time.',
    `The codes: ${codesOf(rows)
      .map((code) => `\`${code}\` (${ERROR_TABLE[code].status})`)
      .join(', ')}.`,
  ].join('\n\n');

/** Those components of a kind that something refers to: what no operation answers with is not published. */
const referred = <T extends Readonly<Record<string, unknown>>>(kind: string, components: T, document: string): Partial<T> =>
  Object.fromEntries(Object.entries(components).filter(([name]) => document.includes(`"#/components/${kind}/${name}"`))) as Partial<T>;

/** Credentials that no operation takes are not published. */
const securitySchemes = (document: string): Partial<typeof SECURITY_SCHEMES> => {
  const { Payment, ...others } = SECURITY_SCHEMES;
  return document.includes('"Payment":[]') ? { ...others, Payment } : others;
};

/**
 * Builds the document for a service at `baseUrl` (no slash at the end) that serves `rows`. It carries the prices of paid
 * calls (`x-payment-info`) and `x-service-info`, as clients of the Payment scheme expect.
 */
export function openApiDocument(baseUrl: string, rows: readonly RouteRow[] = ROUTES): z.input<typeof GetOpenApiReply> {
  const names = nameSchemas(rows);
  const operations = paths(rows, names);
  const text = JSON.stringify(operations);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Email Service',
      version: API_VERSION,
      summary: 'An email identity and inbox for software agents.',
      description: description(rows),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    'x-service-info': {
      categories: ['email', 'communication', 'identity'],
      docs: { homepage: baseUrl, apiReference: `${baseUrl}/api/docs`, llms: `${baseUrl}/llms.txt` },
    },
    servers: [{ url: baseUrl }],
    tags: AREAS.map((area) => ({ name: area, description: AREA_DESCRIPTIONS[area] })),
    paths: operations,
    webhooks: webhooks(),
    components: {
      schemas: componentSchemas(names),
      headers: referred('headers', HEADERS, text),
      parameters: PARAMETERS,
      examples: referred('examples', errorExamples(), text),
      securitySchemes: securitySchemes(text),
    },
  };
}
