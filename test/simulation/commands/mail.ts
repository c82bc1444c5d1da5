// What agents do with mail.
import type { Folder, MailRow } from '#domain/mail/mail.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import type { Random } from '../random.ts';
import { MAIL_DOMAIN } from '../world/functions.ts';
import { folderOf, type SentPromise, someAgent, type World } from '../world/world.ts';
import type { Command } from './command.ts';
import { requestDeed } from './request.ts';

const OUTSIDERS = 6;

/** An address of the service, of an agent or of a wallet that may not have registered yet, by wallet or by name. */
const insideAddress = (world: World, random: Random): string => {
  const wallet = random.pick(world.wallets);
  const names = [...world.chain.names].filter(([, owner]) => owner === wallet).map(([name]) => name);
  return `${names.length > 0 && random.chance(0.5) ? random.pick(names) : wallet}@${MAIL_DOMAIN}`;
};

const sendDeed = (world: World, random: Random, message: { sender: Wallet; to: string; isExternal: boolean; inReplyTo?: string }) => {
  const { sender, to, isExternal, inReplyTo } = message;
  const promise: SentPromise = { subject: `m${world.sent.length}`, sender, isExternal };
  world.sent.push(promise);
  const body = { to, subject: promise.subject, body: 'Hello.', ...(inReplyTo !== undefined && { in_reply_to: inReplyTo }) };
  return requestDeed(
    world,
    random,
    { wallet: sender, area: 'sending', method: 'POST', route: '/api/send', body },
    {
      hasKey: true,
      about: `${promise.subject} to ${to.slice(0, 8)}${inReplyTo === undefined ? '' : ', an answer'}`,
      answered: ({ status, body: answer }) => {
        if (status !== 200) return;
        promise.emailId = String(answer['email_id']);
        if (answer['delivery'] !== undefined) promise.delivery = String(answer['delivery']);
      },
    },
  );
};

const sendInside: Command = {
  name: 'send inside',
  weight: 14,
  choose: async (world, random) =>
    sendDeed(world, random, { sender: someAgent(world, random), to: insideAddress(world, random), isExternal: false }),
};

const sendOutside: Command = {
  name: 'send outside',
  weight: 8,
  choose: async (world, random) =>
    sendDeed(world, random, { sender: someAgent(world, random), to: `p${random.below(OUTSIDERS)}@elsewhere.example`, isExternal: true }),
};

/** A copy of somebody's mail, the unread and staked ones more often. */
const pickMail = async (world: World, random: Random, folder: Folder): Promise<MailRow | undefined> => {
  const rows = await folderOf(world, someAgent(world, random), folder);
  if (rows.length === 0) return undefined;
  const staked = rows.filter(({ stake, isRead }) => stake?.status === 'pending' && !isRead);
  return random.pick(staked.length > 0 && random.chance(0.7) ? staked : rows);
};

const answerMail: Command = {
  name: 'answer',
  weight: 4,
  choose: async (world, random) => {
    const row = await pickMail(world, random, 'inbox');
    if (!row) return undefined;
    const isExternal = !row.fromAddress.endsWith(`@${MAIL_DOMAIN}`);
    return sendDeed(world, random, { sender: row.owner, to: row.fromAddress, isExternal, inReplyTo: row.id });
  },
};

const onMail = (name: string, weight: number, method: 'GET' | 'POST' | 'DELETE', route: string): Command => ({
  name,
  weight,
  choose: async (world, random) => {
    const row = await pickMail(world, random, method === 'DELETE' && random.chance(0.4) ? 'sent' : 'inbox');
    if (!row) return undefined;
    if (method === 'DELETE') world.deleted.add(`${row.owner}/${row.id}`);
    const request = { wallet: row.owner, area: 'mailbox', method, route, params: { id: row.id } } as const;
    return requestDeed(world, random, request, { hasKey: false, about: row.subject });
  },
});

const markRead: Command = {
  name: 'mark read',
  weight: 4,
  choose: async (world, random) => {
    const wallet = someAgent(world, random);
    const ids = (await folderOf(world, wallet, 'inbox')).map(({ id }) => id).filter(() => random.chance(0.4));
    const body = random.chance(0.3) || ids.length === 0 ? { folder: 'inbox' } : { ids };
    return requestDeed(world, random, { wallet, area: 'mailbox', method: 'POST', route: '/api/inbox/mark-read', body }, { hasKey: false });
  },
};

const listInbox: Command = {
  name: 'list',
  weight: 5,
  choose: async (world, random) => {
    const request = {
      wallet: someAgent(world, random),
      area: 'mailbox',
      method: 'GET',
      route: '/api/inbox',
      query: { limit: '5' },
    } as const;
    return requestDeed(world, random, request, { hasKey: false });
  },
};

const RUSH: readonly (readonly ['GET' | 'POST' | 'DELETE', string])[] = [
  ['POST', '/api/inbox/{id}/reject'],
  ['POST', '/api/inbox/{id}/reject'],
  ['POST', '/api/inbox/{id}/reject'],
  ['GET', '/api/inbox/{id}'],
  ['DELETE', '/api/inbox/{id}'],
];
const RUSH_MAX = 5;

/** One agent ends several stakes in the same moment, some of them twice, and claims meanwhile: all of it races for one cap. */
const rush: Command = {
  name: 'rush',
  weight: 6,
  choose: async (world, random) => {
    const wallet = someAgent(world, random);
    const staked = (await folderOf(world, wallet, 'inbox')).filter(({ stake, isRead }) => stake?.status === 'pending' && !isRead);
    if (staked.length === 0) return undefined;
    const deeds = Array.from({ length: 2 + random.below(RUSH_MAX - 1) }, () => {
      const row = random.pick(staked);
      const [method, route] = random.pick(RUSH);
      if (method === 'DELETE') world.deleted.add(`${wallet}/${row.id}`);
      return requestDeed(
        world,
        random,
        { wallet, area: 'mailbox', method, route, params: { id: row.id } },
        { hasKey: false, about: row.subject },
      );
    });
    const claim = { wallet, area: 'attn', method: 'POST', route: '/api/attn/claim' } as const;
    return random.chance(0.5) ? [...deeds, requestDeed(world, random, claim, { hasKey: true })] : deeds;
  },
};

export const mailCommands: readonly Command[] = [
  sendInside,
  sendOutside,
  answerMail,
  onMail('read', 7, 'GET', '/api/inbox/{id}'),
  onMail('reject', 8, 'POST', '/api/inbox/{id}/reject'),
  onMail('delete', 6, 'DELETE', '/api/inbox/{id}'),
  rush,
  markRead,
  listInbox,
];
