// Credits and the Pro tier.
import { openLedgerStatements } from '#adapters/dynamo/ledger-store.ts';
import { paymentsRoutes } from '#contract/routes/payments.ts';
import { creditHistory } from '#domain/payments/credit-history.ts';
import { areaHandler } from '#http/area-handler.ts';
import { answerWith } from '#http/reply.ts';
import { openAccess } from '../access.ts';
import { creditsBody, creditTransaction, proStatusBody } from './present-account.ts';

const { config, table, options } = openAccess();
const { depositAddress } = config;
const ports = { statements: openLedgerStatements(table) };

export const handler = areaHandler(paymentsRoutes, options, {
  getCredits: async (_input, { account }) => answerWith(creditsBody(account, depositAddress)),
  listCreditHistory: async (_input, { account }) => answerWith({ transactions: (await creditHistory(ports, account)).map(creditTransaction) }),
  getProStatus: async (_input, { account, baseUrl }) => answerWith(proStatusBody(account, baseUrl, depositAddress)),
});
