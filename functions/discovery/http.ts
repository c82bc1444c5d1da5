// The service's descriptions of itself, and the answer to every path and method that no row serves.
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { apiDocs } from '#contract/docs.ts';
import { llmsText } from '#contract/llms.ts';
import { openApiDocument } from '#contract/openapi.ts';
import { discoveryRoutes } from '#contract/routes/discovery.ts';
import { ROUTES, servedRoutes } from '#contract/routes.ts';
import { ok } from '#domain/errors.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { unmatchedReply } from '#http/unmatched.ts';
import { readConfig } from '#runtime/config.ts';
import { paidCallRecipient } from '../paid-call-recipient.ts';
import { closedGate } from './closed-gate.ts';
import { versionsBody } from './present.ts';

const config = readConfig();
const { baseUrl: ownAddress, sunsetDate } = config;
const rows = servedRoutes({ takesPayments: paidCallRecipient(config) !== undefined });

const documents = areaHandler(
  discoveryRoutes,
  { gate: closedGate, baseUrl: ownAddress, sunsetDate },
  {
    getDocs: async (_input, { baseUrl }) => answerWith(apiDocs(baseUrl, rows)),
    getLlmsText: async (_input, { baseUrl }) => {
      const bytes = Buffer.from(llmsText(baseUrl, config.serviceName, rows));
      return ok({ status: 200, bytes, headers: { 'content-type': 'text/markdown; charset=utf-8' } });
    },
    getOpenApi: async (_input, { baseUrl }) => answerWith(openApiDocument(baseUrl, rows)),
    getOpenApiAtRoot: async (_input, { baseUrl }) => answerWith(openApiDocument(baseUrl, rows)),
    listVersions: async () => answerWith(versionsBody(sunsetDate)),
  },
);

/** The gateway sends here what matches no route (`$default`). */
export const handler = async (event: APIGatewayProxyEventV2, context: Context) =>
  event.routeKey === '$default' ? unmatchedReply(ROUTES, event) : documents(event, context);
