// Registration: the mailbox of a proven wallet, and the names it may carry.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openLimiter } from '#adapters/dynamo/limit-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openAliases, openKnownNames } from '#adapters/dynamo/name-store.ts';
import { openNonceLane, openPurchases } from '#adapters/dynamo/purchase-store.ts';
import { openChainAccess } from '#adapters/evm/chain-access.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { registrationRoutes } from '#contract/routes/registration.ts';
import { ok } from '#domain/errors.ts';
import { addAlias, type AliasAdded } from '#domain/identity/aliases.ts';
import { checkRegistration } from '#domain/identity/check-registration.ts';
import { listBasenames } from '#domain/identity/list-basenames.ts';
import { buyData, priceName } from '#domain/identity/name-offer.ts';
import { alreadyRegistered, type Registered, registerWallet } from '#domain/identity/register.ts';
import { registerSponsored } from '#domain/identity/register-sponsored.ts';
import { upgradeHandle } from '#domain/identity/upgrade-handle.ts';
import { LIMITS } from '#domain/limits.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answer, answerWith } from '#http/reply.ts';
import { optional } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { openPayPerCall, withPayments } from '../paid-calls.ts';
import { aliasBody, basenamesBody, buyDataBody, checkBody, offerBody, registeredBody, upgradedBody } from './present.ts';

const { config, table, tokens, accounts, options } = openAccess();
const { mailDomain } = config;
const { names, buyer } = openChainAccess(openSecret(optional('CHAIN_SECRET')));

const ports = {
  accounts,
  tokens,
  names,
  buyer,
  handles: openHandles(table),
  aliases: openAliases(table),
  knownNames: openKnownNames(table),
  purchases: openPurchases(table),
  lane: openNonceLane(table),
  mailboxes: openMailboxes(table),
  committer: openCommitter(table),
  limiter: openLimiter(table),
  ids: systemIds,
};

/** The name to buy; the contract has seen that one is given with `auto_basename`. */
const sponsoredName = (body: { auto_basename?: boolean | undefined; basename_name?: string | undefined }): string | undefined =>
  body.auto_basename ? body.basename_name : undefined;

export const handler = areaHandler(registrationRoutes, withPayments(options, openPayPerCall(config, table)), {
  registerEmail: async ({ body }, { wallet, account, now, baseUrl, sourceIp, showLimits, charge, commitReply }) => {
    const { basename } = body;
    if (account) {
      showLimits(await ports.limiter.peek(LIMITS.register, sourceIp, now));
      if (basename === undefined) return alreadyRegistered(account);
      const commitAdded = (added: AliasAdded) => commitReply(200, aliasBody(account, added, mailDomain));
      const added = await addAlias(ports, { account, name: basename, now, commitReply: commitAdded });
      return added.ok ? answerWith(aliasBody(account, added.value, mailDomain)) : added;
    }
    const commitRegistered = (registered: Registered) => commitReply(201, registeredBody(registered, mailDomain));
    const request = { wallet, sourceIp, now, baseUrl, showLimits, charge, commitReply: commitRegistered };
    const name = basename === undefined ? sponsoredName(body) : undefined;
    const registered =
      name === undefined ? await registerWallet(ports, { ...request, basename }) : await registerSponsored(ports, { ...request, name });
    return registered.ok ? answer(ok(registeredBody(registered.value, mailDomain)), 201) : registered;
  },
  upgradeHandle: async ({ body }, { account, now, baseUrl, sourceIp, showLimits }) => {
    const { basename } = body;
    const request = { account, basename, sponsored: sponsoredName(body), sourceIp, now, baseUrl, showLimits };
    const upgraded = await upgradeHandle(ports, request);
    return upgraded.ok ? answerWith(upgradedBody(upgraded.value, mailDomain)) : upgraded;
  },
  checkRegistration: async ({ params }, { baseUrl }) => {
    const check = await checkRegistration(ports, params.query);
    if (!check.ok) return check;
    const body = checkBody(check.value, { registrar: names.registrar, baseUrl, mailDomain });
    // An outage is nothing to remember.
    return ok({ status: 200, body, ...(check.value.status === 'unknown' && { headers: { 'cache-control': 'no-store' } }) });
  },
  getNamePrice: async ({ params }) => {
    const offer = await priceName(names, params.name);
    return offer.ok ? answerWith(offerBody(offer.value)) : offer;
  },
  getNameBuyData: async ({ params, query }) => {
    const bought = await buyData(ports, params.name, query.owner);
    return bought.ok ? answerWith(buyDataBody(bought.value)) : bought;
  },
  listBasenames: async ({ params }) => {
    const listed = await listBasenames(ports, params.address);
    return listed.ok ? answerWith(basenamesBody(params.address, listed.value)) : listed;
  },
});
