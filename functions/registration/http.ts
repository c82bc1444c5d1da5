// Registration: the mailbox of a proven wallet, and the names it may carry.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openLimiter } from '#adapters/dynamo/limit-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openChainAccess } from '#adapters/evm/chain-access.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { registrationRoutes } from '#contract/routes/registration.ts';
import { fail, ok } from '#domain/errors.ts';
import { type Account, emailOf } from '#domain/identity/account.ts';
import { UPGRADE_HINT } from '#domain/identity/choose-handle.ts';
import { addAlias, type AliasAdded, alreadyRegistered, type Registered, registerWallet } from '#domain/identity/register.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answer, answerWith } from '#http/reply.ts';
import { optional } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';

const { config, table, tokens, accounts, options } = openAccess();
const { mailDomain } = config;
const { names } = openChainAccess(openSecret(optional('CHAIN_SECRET')));

const ports = {
  accounts,
  tokens,
  names,
  handles: openHandles(table),
  mailboxes: openMailboxes(table),
  committer: openCommitter(table),
  limiter: openLimiter(table),
  ids: systemIds,
};

const registeredBody = ({ account, token, pendingEmails }: Registered) => ({
  success: true,
  email: emailOf(account.handle, mailDomain),
  handle: account.handle,
  wallet: account.wallet,
  basename: account.basename,
  source: account.source,
  token,
  pending_emails: pendingEmails,
  ...(account.source === 'address' && { upgrade_hint: UPGRADE_HINT }),
});

const aliasBody = (account: Account, added: AliasAdded) => ({
  success: true,
  action: 'alias_added',
  primary_email: emailOf(account.handle, mailDomain),
  alias_email: emailOf(added.label, mailDomain),
  basename: added.basename,
});

export const handler = areaHandler(registrationRoutes, options, {
  registerEmail: async ({ body }, { wallet, account, now, baseUrl, sourceIp, showLimits, commitReply }) => {
    if (account && body.basename === undefined) return alreadyRegistered(account);
    if (account && body.basename !== undefined) {
      const commitAdded = (added: AliasAdded) => commitReply(200, aliasBody(account, added));
      const added = await addAlias(ports, { account, basename: body.basename, now, commitReply: commitAdded });
      return added.ok ? answerWith(aliasBody(account, added.value)) : added;
    }
    if (body.auto_basename) return fail('auto_registration_unavailable');
    const commitRegistered = (registered: Registered) => commitReply(201, registeredBody(registered));
    const request = { wallet, basename: body.basename, sourceIp, now, baseUrl, showLimits, commitReply: commitRegistered };
    const registered = await registerWallet(ports, request);
    return registered.ok ? answer(ok(registeredBody(registered.value)), 201) : registered;
  },
});
