// Public look-ups: who is behind a handle or a wallet, and how many there are.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openStatistics } from '#adapters/dynamo/statistic-store.ts';
import { identityRoutes } from '#contract/routes/identity.ts';
import { notFound, ok } from '#domain/errors.ts';
import { type Account, emailOf } from '#domain/identity/account.ts';
import { findByHandle, findByWallet } from '#domain/identity/look-up.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answer, answerWith } from '#http/reply.ts';
import { openAccess } from '../access.ts';

const { config, table, accounts, options } = openAccess();
const ports = { accounts, handles: openHandles(table), statistics: openStatistics(table) };

const identityBody = (account: Account) => ({
  handle: account.handle,
  email: emailOf(account.handle, config.mailDomain),
  wallet: account.wallet,
  basename: account.basename,
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
});
