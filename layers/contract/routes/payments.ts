// Rows of credits and the Pro tier.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/payments.ts';

const REDEEM_ERRORS = [
  'invalid_transaction_hash',
  'transaction_failed',
  'wrong_recipient',
  'amount_too_low',
  'transaction_not_bound',
  'transaction_too_old',
  'misconfigured',
  'payer_mismatch',
  'transaction_not_found',
  'already_redeemed',
  'chain_unavailable',
  'try_again',
] as const;

const PAYMENT_RULES =
  'The ETH must come from the wallet of the account, go straight to the deposit address on chain 8453 or on Ethereum mainnet, and be ' +
  'confirmed; until then the answer is 404: repeat the same request. A hash works once, over all kinds of purchase. ';

export const paymentsRoutes = {
  getCredits: defineRoute({
    operationId: 'getCredits',
    method: 'GET',
    path: '/api/credits',
    area: 'payments',
    access: 'account',
    summary: 'Credits and their price',
    description: 'Returns the credits left, what credits cost, and the address to send ETH to. 1 credit sends 1 external message.',
    responses: { 200: { description: 'The balance.', body: schema.GetCreditsReply } },
    errors: [],
  }),
  buyCredits: defineRoute({
    operationId: 'buyCredits',
    method: 'POST',
    path: '/api/credits/buy',
    area: 'payments',
    access: 'account',
    summary: 'Turn an ETH payment into credits',
    description: `Redeems a transaction: 1 ETH is 1,000,000 credits, the minimum is 0.0001 ETH (100 credits). ${PAYMENT_RULES}`.trim(),
    body: schema.BuyCreditsRequest,
    responses: { 200: { description: 'The credits bought.', body: schema.BuyCreditsReply } },
    errors: [...REDEEM_ERRORS],
    idempotent: true,
  }),
  listCreditHistory: defineRoute({
    operationId: 'listCreditHistory',
    method: 'GET',
    path: '/api/credits/history',
    area: 'payments',
    access: 'account',
    summary: 'The last 50 credit transactions',
    description: 'Lists the last 50 purchases, spends, refunds and grants, newest first. The sum of all rows ever made is the balance.',
    responses: { 200: { description: 'The rows.', body: schema.ListCreditHistoryReply } },
    errors: [],
  }),
  getProStatus: defineRoute({
    operationId: 'getProStatus',
    method: 'GET',
    path: '/api/pro/status',
    area: 'payments',
    access: 'account',
    summary: 'Tier of the account',
    description: 'Returns the tier, what Pro brings, and how to become Pro when the account is not.',
    responses: { 200: { description: 'The status.', body: schema.GetProStatusReply } },
    errors: [],
  }),
  buyPro: defineRoute({
    operationId: 'buyPro',
    method: 'POST',
    path: '/api/pro/buy',
    area: 'payments',
    access: 'account',
    summary: 'Turn an ETH payment into the Pro tier',
    description: `Redeems a transaction of at least 0.008 ETH; what is paid above becomes credits. ${PAYMENT_RULES}`.trim(),
    body: schema.BuyProRequest,
    responses: { 200: { description: 'The account is Pro.', body: schema.BuyProReply } },
    errors: [...REDEEM_ERRORS, 'already_pro'],
    idempotent: true,
  }),
} as const;
