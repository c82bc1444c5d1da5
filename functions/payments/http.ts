// Credits and the Pro tier.
import { openCommitter } from '#adapters/dynamo/committer.ts';
import { openLedgerStatements } from '#adapters/dynamo/ledger-store.ts';
import { openChainClients } from '#adapters/evm/chain-access.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { paymentsRoutes } from '#contract/routes/payments.ts';
import { buyCredits, buyPro, type Purchase } from '#domain/payments/buy.ts';
import { creditHistory } from '#domain/payments/credit-history.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { optional } from '#runtime/config.ts';
import { systemIds } from '#runtime/ids.ts';
import { openAccess } from '../access.ts';
import { openPaymentAccess } from '../payment-access.ts';
import { creditsBoughtBody, proBoughtBody } from './present.ts';
import { creditsBody, creditTransaction, proStatusBody } from './present-account.ts';

const { config, table, accounts, options } = openAccess();
const { depositAddress } = config;
const ports = {
  ...openPaymentAccess(table, openChainClients(openSecret(optional('CHAIN_SECRET')))),
  statements: openLedgerStatements(table),
  accounts,
  committer: openCommitter(table),
  ids: systemIds,
};

export const handler = areaHandler(paymentsRoutes, options, {
  getCredits: async (_input, { account }) => answerWith(creditsBody(account, depositAddress)),
  buyCredits: async ({ body }, { account, now, commitReply }) => {
    const commitBought = (purchase: Purchase) => commitReply(200, creditsBoughtBody(purchase));
    const bought = await buyCredits(ports, { account, txHash: body.tx_hash, chainId: body.chain_id, now, commitReply: commitBought });
    return bought.ok ? answerWith(creditsBoughtBody(bought.value)) : bought;
  },
  buyPro: async ({ body }, { account, now, commitReply }) => {
    const commitBought = (purchase: Purchase) => commitReply(200, proBoughtBody(purchase));
    const bought = await buyPro(ports, { account, txHash: body.tx_hash, chainId: body.chain_id, now, commitReply: commitBought });
    return bought.ok ? answerWith(proBoughtBody(bought.value)) : bought;
  },
  listCreditHistory: async (_input, { account }) =>
    answerWith({ transactions: (await creditHistory(ports, account)).map(creditTransaction) }),
  getProStatus: async (_input, { account, baseUrl }) => answerWith(proStatusBody(account, baseUrl, depositAddress)),
});
