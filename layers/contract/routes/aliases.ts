// Rows of alias identities that deliver to the primary inbox.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/aliases.ts';
import { SuccessReply } from '../schemas/fields.ts';

export const aliasesRoutes = {
  listAliases: defineRoute({
    operationId: 'listAliases',
    method: 'GET',
    path: '/api/aliases',
    area: 'aliases',
    access: 'account',
    summary: 'List the aliases',
    description: 'Lists the primary handle and the aliases of the account.',
    responses: { 200: { description: 'The aliases.', body: schema.ListAliasesReply } },
    errors: [],
  }),
  createAlias: defineRoute({
    operationId: 'createAlias',
    method: 'POST',
    path: '/api/aliases',
    area: 'aliases',
    access: 'account',
    summary: 'Add an alias',
    description:
      'Adds a name that the wallet owns, checked on chain, as an alias: mail to it is delivered to the primary inbox. Give `handle` or `basename`. ' +
      'When the chain does not answer it is 503, never 403.',
    body: schema.CreateAliasRequest,
    responses: { 200: { description: 'The alias delivers.', body: schema.CreateAliasReply } },
    errors: ['invalid_name', 'name_not_owned', 'handle_taken', 'limit_reached', 'chain_unavailable', 'try_again'],
    idempotent: true,
  }),
  deleteAlias: defineRoute({
    operationId: 'deleteAlias',
    method: 'DELETE',
    path: '/api/aliases/{handle}',
    area: 'aliases',
    access: 'account',
    summary: 'Remove an alias',
    description: 'Removes an alias; mail to that address is no longer delivered. What was delivered before stays.',
    params: schema.AliasParams,
    responses: { 200: { description: 'The alias is gone.', body: SuccessReply } },
    errors: ['not_found', 'try_again'],
  }),
} as const;
