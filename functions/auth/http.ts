// Sign-in, tokens and API keys.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openApiKeys, openNonces, openRefreshTokens } from '#adapters/dynamo/credential-store.ts';
import { openLimiter } from '#adapters/dynamo/limit-store.ts';
import { openAliases, openKnownNames } from '#adapters/dynamo/name-store.ts';
import { openPurchases } from '#adapters/dynamo/purchase-store.ts';
import { openMailboxes } from '#adapters/dynamo/mailbox-store.ts';
import { openChainAccess } from '#adapters/evm/chain-access.ts';
import { signInTexts } from '#adapters/evm/sign-in-texts.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { authRoutes } from '#contract/routes/auth.ts';
import { ok } from '#domain/errors.ts';
import { agentRegister } from '#domain/identity/agent-register.ts';
import { type CreatedKey, createApiKey, revokeApiKey } from '#domain/identity/api-keys.ts';
import { refreshSession } from '#domain/identity/sessions.ts';
import { buildMessage, issueNonce, startSignIn } from '#domain/identity/sign-in.ts';
import { verifySignIn } from '#domain/identity/verify-sign-in.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answer, answerWith } from '#http/reply.ts';
import { optional } from '#runtime/config.ts';
import { sha256Hex, systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { apiKeyRow, signedInBody, verifiedBody } from './present.ts';

const { config, table, tokens, accounts, options } = openAccess();
const { mailDomain } = config;
const { names, signatures } = openChainAccess(openSecret(optional('CHAIN_SECRET')));

const ports = {
  accounts,
  tokens,
  names,
  signatures,
  mailDomain,
  texts: signInTexts,
  handles: openHandles(table),
  aliases: openAliases(table),
  knownNames: openKnownNames(table),
  nonces: openNonces(table),
  refreshTokens: openRefreshTokens(table),
  apiKeys: openApiKeys(table),
  purchases: openPurchases(table),
  mailboxes: openMailboxes(table),
  committer: openCommitter(table),
  limiter: openLimiter(table),
  digests: { sha256Hex },
  ids: systemIds,
};

const createdKeyBody = ({ secret, key }: CreatedKey) => ({ api_key: secret, id: key.id, name: key.name, created_at: key.createdAt });

export const handler = areaHandler(authRoutes, options, {
  authStart: async ({ body }, moment) => answerWith(await startSignIn(ports, body.address, moment)),
  authAgentRegister: async ({ body }, { now, baseUrl, sourceIp, showLimits }) => {
    const request = { ...body, basename: body.basename, now, baseUrl, sourceIp, showLimits };
    const signedIn = await agentRegister(ports, request);
    return signedIn.ok ? answer(ok(signedInBody(signedIn.value, mailDomain)), signedIn.value.isNew ? 201 : 200) : signedIn;
  },
  authVerify: async ({ body }, moment) => {
    const verified = await verifySignIn(ports, body, moment);
    return verified.ok ? answerWith(verifiedBody(verified.value, body.address, mailDomain)) : verified;
  },
  authRefresh: async ({ body }, moment) => {
    const refreshed = await refreshSession(ports, { refreshToken: body.refresh_token, rotate: body.rotate === true }, moment);
    if (!refreshed.ok) return refreshed;
    const { token, refreshToken } = refreshed.value;
    return answerWith({ token, ...(refreshToken !== undefined && { refresh_token: refreshToken }) });
  },
  authNonce: async (_input, moment) => answerWith(await issueNonce(ports, moment)),
  authMessage: async ({ body }, moment) => answer(await buildMessage(ports, body, moment)),
  createApiKey: async ({ body }, { wallet, now, commitReply }) => {
    const request = {
      wallet,
      name: body.name ?? null,
      now,
      commitReply: (created: CreatedKey) => commitReply(200, createdKeyBody(created)),
    };
    const created = await createApiKey(ports, request);
    return created.ok ? answerWith(createdKeyBody(created.value)) : created;
  },
  listApiKeys: async (_input, { wallet }) => answerWith({ keys: (await ports.apiKeys.list(wallet)).map(apiKeyRow) }),
  revokeApiKey: async ({ body }, { wallet, now, commitReply }) => {
    const revoked = await revokeApiKey(ports, { wallet, id: body.id, now, commitReply: () => commitReply(200, { success: true }) });
    return revoked.ok ? answerWith({ success: true }) : revoked;
  },
});
