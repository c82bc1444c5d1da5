// The ATTN ledger: balance, daily claim, history, receive price.
import { openHandles } from '#adapters/dynamo/account-store.ts';
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openLedgerStatements } from '#adapters/dynamo/ledger-store.ts';
import { openChainClients } from '#adapters/evm/chain-access.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { attnRoutes } from '#contract/routes/attn.ts';
import { type ClaimResult, claimDaily } from '#domain/attn/claim-daily.ts';
import { setReceivePrice } from '#domain/attn/set-receive-price.ts';
import { notFound } from '#domain/errors.ts';
import { findByHandle } from '#domain/identity/look-up.ts';
import { buyAttn, type Purchase } from '#domain/payments/buy.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { optional } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { openPaymentAccess } from '../payment-access.ts';
import { boughtBody } from './present-purchase.ts';
import { attnTransaction, balanceBody, claimBody, priceBody, settingsBody } from './present.ts';

const { table, accounts, options } = openAccess();
const ports = {
  ...openPaymentAccess(table, openChainClients(openSecret(optional('CHAIN_SECRET')))),
  accounts,
  handles: openHandles(table),
  statements: openLedgerStatements(table),
  committer: openCommitter(table),
  ids: systemIds,
};

export const handler = areaHandler(attnRoutes, options, {
  getAttnBalance: async (_input, { account, now }) => answerWith(balanceBody(account, now)),
  claimAttn: async (_input, { account, now, commitReply }) => {
    const claimed = await claimDaily(ports, {
      account,
      now,
      commitReply: (result: ClaimResult) => commitReply(200, claimBody(result, now)),
    });
    return claimed.ok ? answerWith(claimBody(claimed.value, now)) : claimed;
  },
  listAttnHistory: async ({ query }, { wallet }) => {
    const { limit, cursor } = query;
    const { rows, nextCursor } = await ports.statements.page({ wallet, asset: 'ATTN', limit, ...(cursor !== undefined && { cursor }) });
    return answerWith({ transactions: rows.map(attnTransaction), next_cursor: nextCursor ?? null });
  },
  getAttnSettings: async (_input, { account }) => answerWith(settingsBody(account.receivePrice)),
  updateAttnSettings: async ({ body }, { wallet }) => {
    const price = BigInt(body.receive_price);
    const stored = await setReceivePrice(ports, wallet, price);
    return stored.ok ? answerWith(settingsBody(price)) : stored;
  },
  buyAttn: async ({ body }, { account, now, commitReply }) => {
    const commitBought = (purchase: Purchase) => commitReply(200, boughtBody(purchase));
    const request = { account, txHash: body.tx_hash, amountUsdc: body.amount_usdc, now, commitReply: commitBought };
    const bought = await buyAttn(ports, request);
    return bought.ok ? answerWith(boughtBody(bought.value)) : bought;
  },
  getAttnPrice: async ({ params }) => {
    const account = await findByHandle(ports, params.handle);
    return account ? answerWith(priceBody(account)) : notFound('Handle');
  },
});
