// Public look-ups: who is behind a handle or a wallet, how many there are, and how agents present themselves to registries.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openBonds } from '#adapters/dynamo/bond-store.ts';
import { openDirectory } from '#adapters/dynamo/name-store.ts';
import { openStatistics } from '#adapters/dynamo/statistic-store.ts';
import { identityRoutes } from '#contract/routes/identity.ts';
import { qafByHandle } from '#domain/attention/scores.ts';
import { notFound, ok } from '#domain/errors.ts';
import { type Account, emailOf } from '#domain/identity/account.ts';
import { findByHandle, findByWallet } from '#domain/identity/look-up.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answer, answerWith } from '#http/reply.ts';
import { openAccess } from '../access.ts';
import { agentFile, serviceFile } from './registration-file.ts';

const { config, table, accounts, options } = openAccess();
const { mailDomain, serviceName } = config;
const ports = {
  accounts,
  handles: openHandles(table),
  statistics: openStatistics(table),
  directory: openDirectory(table),
  bonds: openBonds(table),
};

/** Rows of the directory (interface areas, `GET /api/agents/list`). */
const LISTED_MAX = 500;

const identityBody = ({ handle, wallet, basename }: Pick<Account, 'handle' | 'wallet' | 'basename'>) => ({
  handle,
  email: emailOf(handle, mailDomain),
  wallet,
  basename,
});

export const handler = areaHandler(identityRoutes, options, {
  getIdentityStats: async () => {
    const [agents, emails] = await Promise.all([ports.statistics.read('agents'), ports.statistics.read('emails')]);
    return answerWith({ total_agents: agents, total_emails: emails });
  },
  getIdentityByHandle: async ({ params }) => {
    const account = await findByHandle(ports, params.handle);
    if (!account) return notFound('Handle');
    return answer(ok({ ...identityBody(account), registered_at: account.registeredAt, is_human: account.isHuman }));
  },
  getIdentityByWallet: async ({ params }) => {
    const account = await findByWallet(ports, params.address);
    return account ? answerWith(identityBody(account)) : notFound('Wallet');
  },
  getAgentRegistration: async ({ params }, { baseUrl }) => {
    const found = await qafByHandle(ports, params.handle);
    if (!found.ok) return notFound('Agent');
    const { account, score } = found.value;
    return answerWith(agentFile(account, score, { baseUrl, mailDomain, serviceName }));
  },
  getServiceRegistration: async (_input, { baseUrl }) => answerWith(serviceFile({ baseUrl, mailDomain, serviceName })),
  getStats: async () => {
    const names = ['agents', 'sent', 'received'] as const;
    const [agents, sent, received] = await Promise.all(names.map((name) => ports.statistics.read(name)));
    return answerWith({ agents: agents ?? 0, email_events: (sent ?? 0) + (received ?? 0), sent: sent ?? 0, received: received ?? 0 });
  },
  listAgents: async () => {
    const agents = (await ports.directory.newest(LISTED_MAX)).map((entry) => ({
      ...identityBody(entry),
      registered_at: entry.registeredAt,
    }));
    return answerWith({ agents, total: agents.length });
  },
});
