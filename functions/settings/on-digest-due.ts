// Every hour: sends the daily digests whose time has come.
import { openAccounts } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openDigestSubscriptions } from '#adapters/dynamo/mail-area-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openServicePost } from '#adapters/ses/service-post.ts';
import { sendDigests } from '#domain/mail/send-digest.ts';
import type { ComposeRequest } from '#domain/ports/mail-content.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { readConfig, required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';

const { tableName, mailDomain, serviceName } = readConfig();
const table = openTable(tableName);

/** Most runs find nobody to write to, so the composer is loaded by the first that does. */
const composeMail = async (request: ComposeRequest) => (await import('#adapters/mime/compose-mail.ts')).composeMail(request);

const ports = {
  mailDomain,
  serviceName,
  accounts: openAccounts(table),
  subscriptions: openDigestSubscriptions(table),
  committer: openCommitter(table),
  composer: { composeMail },
  post: openServicePost({ configurationSet: required('CONFIGURATION_SET') }),
  ids: systemIds,
};

export const handler = scheduleHandler('digests sent', (now, hasTime) => sendDigests(ports, now, hasTime));
