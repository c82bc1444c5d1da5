// Mailboxes: counters equal a recount, every row stands where its state says, and names lead to one account each.
import { PRESTORE_LIFE_SECONDS } from '#domain/mail/send-internal.ts';
import { mailItem } from '#adapters/dynamo/mail-codec.ts';
import { readMail } from '#adapters/dynamo/mail-codec.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import type { Invariant } from './invariant.ts';

const recount = ({ mails }: Snapshot, owner: string) => {
  const own = mails.filter((row) => row.owner === owner);
  const inbox = own.filter(({ folder }) => folder === 'inbox');
  return {
    inbox: inbox.length,
    unread: inbox.filter(({ isRead }) => !isRead).length,
    sent: own.filter(({ folder }) => folder === 'sent').length,
    quarantine: own.filter(({ folder }) => folder === 'quarantine').length,
    bonded: inbox.filter(({ bond }) => bond?.status === 'active').length,
    pendingStakes: inbox.filter(({ stake }) => stake?.status === 'pending').length,
  };
};

const countersEqualRecount: Invariant = (snapshot) =>
  snapshot.accounts.flatMap(({ wallet, mail }) =>
    Object.entries(recount(snapshot, wallet))
      .filter(([name, count]) => mail[name as keyof typeof mail] !== count)
      .map(([name, count]) => `${wallet} counts ${mail[name as keyof typeof mail]} ${name}, there are ${count}`),
  );

const creditRowsAreCounted: Invariant = ({ accounts, ledger }) =>
  accounts.flatMap(({ wallet, creditRows }) => {
    const rows = ledger.filter((row) => row.wallet === wallet && row.asset === 'CREDIT').length;
    return rows === creditRows ? [] : [`${wallet} counts ${creditRows} credit rows, there are ${rows}`];
  });

const INDEX_ATTRIBUTES = ['ord', 'unr', 'dueS', 'dueA'] as const;

/** What the row's state says is what the indexes show; otherwise a list leaves a mail out, or a schedule never finds it. */
const indexesFollowRows: Invariant = ({ items }) =>
  items.flatMap((item) => {
    const expected = mailItem(readMail(item));
    return INDEX_ATTRIBUTES.filter((name) => expected[name] !== item[name]).map(
      (name) => `${String(item['PK'])} ${String(item['SK'])}: ${name} is ${String(item[name])} instead of ${String(expected[name])}`,
    );
  });

const readMailHoldsNoStake: Invariant = ({ mails }) =>
  mails.filter(({ isRead, stake }) => isRead && stake?.status === 'pending').map(({ id }) => `${id} is read and its stake is open`);

/** The mails that were stored before their owner's account, as `<owner>/<id>`: only those could expire. */
const storedBeforeAccount = ({ stream }: World): ReadonlySet<string> => {
  const waited = new Set<string>();
  const registered = new Set<string>();
  for (const { eventName, dynamodb } of stream.records) {
    const image = dynamodb?.['NewImage'] as Readonly<Record<string, { readonly S?: string }>> | undefined;
    const owner = image?.['PK']?.S?.slice(2) ?? '';
    if (eventName !== 'INSERT') continue;
    if (image?.['type']?.S === 'account') registered.add(owner);
    if (image?.['type']?.S === 'mail' && !registered.has(owner)) waited.add(`${owner}/${image['SK']?.S?.slice(2)}`);
  }
  return waited;
};

/** Time to live deletes late: a mail that was over before its wallet registered must not come to life with the account. */
const expiredMailStaysGone: Invariant = ({ accounts, mails }, world) => {
  const waited = storedBeforeAccount(world);
  const registeredAt = new Map(accounts.map((account) => [account.wallet, account.registeredAt]));
  return mails
    .filter(
      ({ owner, id, createdAt }) => waited.has(`${owner}/${id}`) && createdAt + PRESTORE_LIFE_SECONDS <= (registeredAt.get(owner) ?? 0),
    )
    .map(({ owner, id }) => `${id} had expired when ${owner} registered`);
};

/** Kept rows must not be deleted by time to live later. */
const keptMailHasNoEnd: Invariant = ({ mails }) =>
  mails.filter(({ expiresAt }) => expiresAt !== undefined).map(({ id }) => `${id} has an end though its owner has an account`);

const rowsHaveTheirBytes = ({ mails, waiting }: Snapshot, { cloud }: World): string[] =>
  [...mails, ...waiting].filter(({ owner, id }) => !cloud.objects.has(`mail/${owner}/${id}/raw`)).map(({ id }) => `${id} has no bytes`);

const namesLeadToTheirAccounts: Invariant = ({ accounts, handles, aliases }) => {
  const named = accounts.filter(({ handle }) => !handle.startsWith('0x'));
  return [
    ...named
      .filter(({ wallet, handle }) => handles.get(handle)?.wallet !== wallet || handles.get(handle)?.role !== 'handle')
      .map(({ handle }) => `handle ${handle} leads elsewhere`),
    ...aliases
      .filter(({ wallet, name }) => handles.get(name)?.wallet !== wallet || handles.get(name)?.role !== 'alias')
      .map(({ name }) => `alias ${name} leads elsewhere`),
    ...[...handles]
      .filter(
        ([name, { wallet, role }]) => role === 'handle' && !named.some((account) => account.wallet === wallet && account.handle === name),
      )
      .map(([name]) => `name ${name} is nobody's handle`),
    ...[...handles]
      .filter(([name, { wallet, role }]) => role === 'alias' && !aliases.some((alias) => alias.wallet === wallet && alias.name === name))
      .map(([name]) => `name ${name} is in nobody's list`),
  ];
};

export const mailboxInvariants: readonly Invariant[] = [
  countersEqualRecount,
  creditRowsAreCounted,
  indexesFollowRows,
  readMailHoldsNoStake,
  expiredMailStaysGone,
  keptMailHasNoEnd,
  rowsHaveTheirBytes,
  namesLeadToTheirAccounts,
];
