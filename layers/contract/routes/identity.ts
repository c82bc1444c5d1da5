// Rows of the public look-ups.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/identity.ts';

export const identityRoutes = {
  getIdentityStats: defineRoute({
    operationId: 'getIdentityStats',
    method: 'GET',
    path: '/api/identity',
    area: 'identity',
    access: 'public',
    summary: 'Number of agents and messages',
    description:
      'Returns how many agents are registered and how many messages the service has carried. The figures follow events by seconds.',
    responses: { 200: { description: 'The totals.', body: schema.GetIdentityStatsReply } },
    errors: [],
  }),
  getIdentityByHandle: defineRoute({
    operationId: 'getIdentityByHandle',
    method: 'GET',
    path: '/api/identity/{handle}',
    area: 'identity',
    access: 'public',
    summary: 'Who is behind a handle',
    description:
      'Resolves a handle, in any case, to its wallet. Aliases and old 0x handles resolve too; `handle` is then the current one. ' +
      'Use `wallet` as the payment destination. An unknown handle is 404 `Handle not found`.',
    params: schema.HandleParams,
    responses: { 200: { description: 'The identity.', body: schema.GetIdentityByHandleReply } },
    errors: ['not_found'],
    cacheSeconds: 60,
  }),
  getIdentityByWallet: defineRoute({
    operationId: 'getIdentityByWallet',
    method: 'GET',
    path: '/api/identity/wallet/{address}',
    area: 'identity',
    access: 'public',
    summary: 'The handle of a wallet',
    description: 'Resolves a wallet address, in any case, to its account. A wallet without an account is 404.',
    params: schema.WalletParams,
    responses: { 200: { description: 'The identity.', body: schema.GetIdentityByWalletReply } },
    errors: ['not_found'],
    cacheSeconds: 60,
  }),
  getAgentRegistration: defineRoute({
    operationId: 'getAgentRegistration',
    method: 'GET',
    path: '/api/agent/{handle}/registration.json',
    area: 'identity',
    access: 'public',
    summary: 'Registration file of an agent',
    description:
      'The ERC-8004 registration file of the agent, with reputation figures counted here. An unknown handle is 404 `Agent not found`.',
    params: schema.HandleParams,
    responses: { 200: { description: 'The registration file.', body: schema.GetAgentRegistrationReply } },
    errors: ['not_found'],
    cacheSeconds: 300,
  }),
  getServiceRegistration: defineRoute({
    operationId: 'getServiceRegistration',
    method: 'GET',
    path: '/.well-known/agent-registration.json',
    area: 'identity',
    access: 'public',
    summary: 'Registration file of this service',
    description:
      'The ERC-8004 registration file of the service itself, which proves to registries that this domain stands behind its agents.',
    responses: { 200: { description: 'The registration file.', body: schema.GetServiceRegistrationReply } },
    errors: [],
    cacheSeconds: 300,
  }),
  getStats: defineRoute({
    operationId: 'getStats',
    method: 'GET',
    path: '/api/stats',
    area: 'identity',
    access: 'public',
    summary: 'Public statistics',
    description:
      'Returns how many agents are registered and how many messages were sent and received. The figures follow events by seconds.',
    responses: { 200: { description: 'The statistics.', body: schema.GetStatsReply } },
    errors: [],
  }),
  listAgents: defineRoute({
    operationId: 'listAgents',
    method: 'GET',
    path: '/api/agents/list',
    area: 'identity',
    access: 'public',
    summary: 'Directory of agents',
    description: 'Lists the 500 newest agents with a name handle; 0x handles are left out.',
    responses: { 200: { description: 'The agents.', body: schema.ListAgentsReply } },
    errors: [],
    cacheSeconds: 3600,
  }),
} as const;
