// Settings of the account, and the choice of its primary handle.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openSettings } from '#adapters/dynamo/name-store.ts';
import { openChainClients, openNames } from '#adapters/evm/chain-access.ts';
import { parseAddress } from '#adapters/mime/parse-address.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { settingsRoutes } from '#contract/routes/settings.ts';
import { emailOf } from '#domain/identity/account.ts';
import { updateSettings } from '#domain/identity/settings.ts';
import { switchPrimary } from '#domain/identity/switch-primary.ts';
import type { AccountSettings } from '#domain/ports/names.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { optional } from '#runtime/config.ts';
import { openAccess } from '../access.ts';

const { config, table, tokens, accounts, options } = openAccess();
const names = openNames(openChainClients(openSecret(optional('CHAIN_SECRET'))));
const ports = {
  accounts,
  tokens,
  names,
  parseAddress,
  handles: openHandles(table),
  committer: openCommitter(table),
  settings: openSettings(table),
};

const settingsBody = ({ notificationEmail }: AccountSettings) => ({ notification_email: notificationEmail });

export const handler = areaHandler(settingsRoutes, options, {
  getSettings: async (_input, { wallet }) => answerWith(settingsBody(await ports.settings.read(wallet))),
  updateSettings: async ({ body }, { wallet, now }) => {
    const updated = await updateSettings(ports, { wallet, notificationEmail: body.notification_email, now });
    return updated.ok ? answerWith(settingsBody(updated.value)) : updated;
  },
  switchPrimaryHandle: async ({ body }, { account, now, baseUrl }) => {
    const switched = await switchPrimary(ports, { account, handle: body.handle, now, baseUrl });
    if (!switched.ok) return switched;
    const { account: after, oldHandle, token } = switched.value;
    const email = emailOf(after.handle, config.mailDomain);
    return answerWith({ success: true, handle: after.handle, email, old_handle: oldHandle, basename: after.basename, token });
  },
});
