// The service's descriptions of itself, and the answer to every path and method that no row serves.
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { apiDocs } from '#contract/docs.ts';
import { openApiDocument } from '#contract/openapi.ts';
import { discoveryRoutes } from '#contract/routes/discovery.ts';
import { ROUTES } from '#contract/routes.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { unmatchedReply } from '#http/unmatched.ts';
import { readConfig } from '#runtime/config.ts';
import { closedGate } from './closed-gate.ts';
import { versionsBody } from './present.ts';

const { baseUrl: ownAddress, sunsetDate } = readConfig();

const documents = areaHandler(
  discoveryRoutes,
  { gate: closedGate, baseUrl: ownAddress, sunsetDate },
  {
    getDocs: async (_input, { baseUrl }) => answerWith(apiDocs(baseUrl)),
    getOpenApi: async (_input, { baseUrl }) => answerWith(openApiDocument(baseUrl)),
    getOpenApiAtRoot: async (_input, { baseUrl }) => answerWith(openApiDocument(baseUrl)),
    listVersions: async () => answerWith(versionsBody(sunsetDate)),
  },
);

/** The gateway sends here what matches no route (`$default`). */
export const handler = async (event: APIGatewayProxyEventV2, context: Context) =>
  event.routeKey === '$default' ? unmatchedReply(ROUTES, event) : documents(event, context);
