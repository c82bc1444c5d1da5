// Rows of the service's descriptions of itself.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/discovery.ts';

const OPENAPI_RESPONSES = { 200: { description: 'The document.', body: schema.GetOpenApiReply } } as const;

export const discoveryRoutes = {
  getDocs: defineRoute({
    operationId: 'getDocs',
    method: 'GET',
    path: '/api/docs',
    area: 'discovery',
    access: 'public',
    summary: 'Reference of the API as JSON',
    description:
      'Returns the whole reference in one JSON document: sign-in, every endpoint with its fields, errors, limits, webhooks and versioning.',
    responses: { 200: { description: 'The reference.', body: schema.GetDocsReply } },
    errors: [],
    cacheSeconds: 300,
  }),
  getOpenApi: defineRoute({
    operationId: 'getOpenApi',
    method: 'GET',
    path: '/api/openapi.json',
    area: 'discovery',
    access: 'public',
    summary: 'OpenAPI 3.1 description',
    description: 'Returns the OpenAPI 3.1 description of the API.',
    responses: OPENAPI_RESPONSES,
    errors: [],
    cacheSeconds: 300,
  }),
  getOpenApiAtRoot: defineRoute({
    operationId: 'getOpenApiAtRoot',
    method: 'GET',
    path: '/openapi.json',
    area: 'discovery',
    access: 'public',
    summary: 'OpenAPI 3.1 description, where clients look for it first',
    description:
      'Returns the same document as GET /api/openapi.json, at the path where clients look for it that know nothing but the address.',
    responses: OPENAPI_RESPONSES,
    errors: [],
    cacheSeconds: 300,
  }),
  getLlmsText: defineRoute({
    operationId: 'getLlmsText',
    method: 'GET',
    path: '/llms.txt',
    area: 'discovery',
    access: 'public',
    summary: 'The service on one page, for language models',
    description:
      'Returns a page of Markdown in the form of llmstxt.org: what the service does, how to sign in, and a line for each operation.',
    responses: { 200: { description: 'The page.', contentType: 'text/markdown' } },
    errors: [],
    cacheSeconds: 300,
  }),
  listVersions: defineRoute({
    operationId: 'listVersions',
    method: 'GET',
    path: '/api/versions',
    area: 'discovery',
    access: 'public',
    summary: 'Supported versions',
    description: 'Lists the versions of the API that are served, and the operations that are deprecated with their replacements.',
    responses: { 200: { description: 'The versions.', body: schema.ListVersionsReply } },
    errors: [],
    cacheSeconds: 300,
  }),
} as const;
