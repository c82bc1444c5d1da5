// The older USDC attention: prices, scores, legacy bonds and whitelists.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openAttentionConfigs, openPairs, openWhitelist } from '#adapters/dynamo/attention-store.ts';
import { openBonds } from '#adapters/dynamo/bond-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openWhitelists } from '#adapters/dynamo/sender-lists.ts';
import { parseLabel } from '#adapters/evm/label.ts';
import { attentionRoutes } from '#contract/routes/attention.ts';
import type { Bond } from '#domain/attention/bonds.ts';
import { configureAttention } from '#domain/attention/configure.ts';
import { refundBond } from '#domain/attention/end-bond.ts';
import { listBonds } from '#domain/attention/list-bonds.ts';
import { quote, quoteFor } from '#domain/attention/quote.ts';
import { coQafByHandle, qafByHandle } from '#domain/attention/scores.ts';
import { addToWhitelist, removeFromWhitelist } from '#domain/attention/whitelist.ts';
import { fail } from '#domain/errors.ts';
import type { WhitelistEntry } from '#domain/ports/attention.ts';
import { isEmailId } from '#domain/values/id.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import {
  bondBody,
  coQafBody,
  configBody,
  migrationBody,
  priceBody,
  qafBody,
  refundedBody,
  senderPriceBody,
  statsBody,
  whitelistEntryBody,
} from './present.ts';

const { table, accounts, options } = openAccess();
const ports = {
  accounts,
  handles: openHandles(table),
  configs: openAttentionConfigs(table),
  pairs: openPairs(table),
  whitelist: openWhitelist(table),
  whitelists: openWhitelists(table),
  bonds: openBonds(table),
  mailboxes: openMailboxes(table),
  committer: openCommitter(table),
  ids: systemIds,
  names: { parseLabel },
};

export const handler = areaHandler(attentionRoutes, options, {
  getAttentionPrice: async ({ params }, { now }) => {
    const quoted = await quote(ports, params.handle, now);
    return quoted.ok ? answerWith(priceBody(quoted.value)) : quoted;
  },
  getAttentionPriceForSender: async ({ params }, { now }) => {
    const quoted = await quoteFor(ports, params.handle, params.sender, now);
    return quoted.ok ? answerWith(senderPriceBody(quoted.value, params.sender)) : quoted;
  },
  getAttentionQaf: async ({ params }) => {
    const found = await qafByHandle(ports, params.handle);
    return found.ok ? answerWith(qafBody(found.value.account, found.value.score)) : found;
  },
  getAttentionCoqaf: async ({ params }) => {
    const found = await coQafByHandle(ports, params.handle);
    return found.ok ? answerWith(coQafBody(found.value)) : found;
  },
  getAttentionConfig: async (_input, { wallet }) => answerWith(configBody(await ports.configs.of(wallet))),
  updateAttentionConfig: async ({ body }, { wallet }) => {
    const { enabled, base_price: basePrice, alpha, beta, gamma, response_window_hours: responseWindowHours } = body;
    const stored = await configureAttention(ports, wallet, { enabled, basePrice, alpha, beta, gamma, responseWindowHours });
    return stored.ok ? answerWith(configBody(stored.value)) : stored;
  },
  recordAttentionBond: async () => fail('bonds_retired', { fields: { migration: migrationBody } }),
  resolveAttentionBond: async ({ params }, { wallet, now, commitReply }) => {
    const request = { recipient: wallet, emailId: params.email_id, now, commitReply: (bond: Bond) => commitReply(200, refundedBody(bond)) };
    const refunded = await refundBond(ports, request);
    return refunded.ok ? answerWith(refundedBody(refunded.value)) : refunded;
  },
  listWhitelist: async (_input, { account }) => {
    const entries = await ports.whitelist.list(account.wallet);
    return answerWith({ handle: account.handle, whitelist: entries.map(whitelistEntryBody) });
  },
  addWhitelistEntry: async ({ body }, { account, now, commitReply }) => {
    const { sender_handle: senderHandle, sender_wallet: senderWallet, note } = body;
    const reply = ({ id }: WhitelistEntry) => ({ success: true, id });
    const request = {
      owner: account,
      senderHandle,
      senderWallet,
      note,
      now,
      commitReply: (entry: WhitelistEntry) => commitReply(201, reply(entry)),
    };
    const added = await addToWhitelist(ports, request);
    return added.ok ? answerWith(reply(added.value), 201) : added;
  },
  removeWhitelistEntry: async ({ params }, { account }) => {
    const removed = await removeFromWhitelist(ports, account, params.sender);
    return removed.ok ? answerWith({ success: true }) : removed;
  },
  getAttentionStats: async (_input, { account, now }) => answerWith(statsBody(account, await ports.bonds.all(account.wallet), now)),
  listMyBonds: async ({ query }, { account, now }) => {
    const { limit, cursor } = query;
    if (cursor !== undefined && !isEmailId(cursor)) return fail('invalid_request', { message: 'cursor is not one of ours' });
    const page = await listBonds(ports, { wallet: account.wallet, limit, now, ...(cursor !== undefined && { cursor }) });
    const bonds = page.bonds.map((bond) => bondBody(bond, account.wallet));
    return answerWith({ handle: account.handle, bonds, next_cursor: page.nextCursor ?? null });
  },
});
