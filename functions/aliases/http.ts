// Aliases: further names that deliver to the account's one inbox.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openAliases } from '#adapters/dynamo/name-store.ts';
import { openChainClients, openNames } from '#adapters/evm/chain-access.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { aliasesRoutes } from '#contract/routes/aliases.ts';
import { type Account, basenameOf, emailOf } from '#domain/identity/account.ts';
import { addAlias, type AliasAdded, removeAlias } from '#domain/identity/aliases.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { optional } from '#runtime/config.ts';
import { openAccess } from '../access.ts';

const { config, table, options } = openAccess();
const { mailDomain } = config;
const names = openNames(openChainClients(openSecret(optional('CHAIN_SECRET'))));
const ports = { names, handles: openHandles(table), aliases: openAliases(table), committer: openCommitter(table) };

const aliasRow = ({ handle, createdAt }: { readonly handle: string; readonly createdAt: number }) => ({
  handle,
  email: emailOf(handle, mailDomain),
  basename: basenameOf(handle),
  created_at: createdAt,
});

const addedBody = (account: Account, { label, basename }: AliasAdded) => ({
  success: true,
  alias_email: emailOf(label, mailDomain),
  basename,
  primary_handle: account.handle,
});

export const handler = areaHandler(aliasesRoutes, options, {
  listAliases: async (_input, { account }) =>
    answerWith({
      primary_handle: account.handle,
      primary_email: emailOf(account.handle, mailDomain),
      aliases: (await ports.aliases.list(account.wallet)).map(aliasRow),
    }),
  createAlias: async ({ body }, { account, now, commitReply }) => {
    const name = body.basename ?? body.handle ?? '';
    const commitAdded = (added: AliasAdded) => commitReply(200, addedBody(account, added));
    const added = await addAlias(ports, { account, name, now, commitReply: commitAdded });
    return added.ok ? answerWith(addedBody(account, added.value)) : added;
  },
  deleteAlias: async ({ params }, { account }) => {
    const removed = await removeAlias(ports, account.wallet, params.handle);
    return removed.ok ? answerWith({ success: true }) : removed;
  },
});
