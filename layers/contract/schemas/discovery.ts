// Fields of the service's descriptions of itself.
import * as z from 'zod';

export const GetDocsReply = z.looseObject({
  name: z.string().describe('Name of the service.'),
  version: z.string().describe('Version of the API.'),
  base_url: z.string().describe('Address of the API.'),
  overview: z.string().describe('What the service does.'),
  authentication: z.looseObject({}).describe('How to sign in, step by step.'),
  endpoints: z.array(z.looseObject({})).describe('Every operation, with its fields and errors.'),
  errors: z.looseObject({}).describe('The form of errors and every code.'),
  limits: z.looseObject({}).describe('Rate limits and other limits.'),
  webhooks: z.looseObject({}).describe('The event, its headers and how to verify it.'),
  versioning: z.looseObject({}).describe('How the API changes.'),
});

export const GetOpenApiReply = z.looseObject({
  openapi: z.string().describe('Version of OpenAPI.'),
  info: z.looseObject({}).describe('Title and version.'),
  paths: z.looseObject({}).describe('The operations by path.'),
});

export const ListVersionsReply = z.looseObject({
  current: z.string().describe('The current version.'),
  supported: z
    .array(
      z.looseObject({
        version: z.string().describe('The version.'),
        status: z.string().describe('`current` or `deprecated`.'),
        released_on: z.string().describe('Day of release.'),
        path_prefix: z.string().describe('Prefix of its paths; empty for unversioned paths.'),
      }),
    )
    .describe('Versions that are served.'),
  deprecated_operations: z
    .array(
      z.looseObject({
        operation_id: z.string().describe('The operation.'),
        replaced_by: z.string().describe('What to use instead.'),
        deprecated_on: z.string().describe('Day of the announcement.'),
        sunset_on: z.string().describe('Day from which it may be gone.'),
      }),
    )
    .describe('Operations on their way out.'),
});
