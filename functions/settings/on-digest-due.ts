// Every hour: sends the daily digests whose time has come.
import { openAccounts } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openDigestSubscriptions } from '#adapters/dynamo/mail-area-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { composeMail } from '#adapters/mime/compose-mail.ts';
import { openServicePost } from '#adapters/ses/service-post.ts';
import { sendDigests } from '#domain/mail/send-digest.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { readConfig, required } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';

const { tableName, mailDomain, serviceName } = readConfig();
const table = openTable(tableName);

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
