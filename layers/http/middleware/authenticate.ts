// Finds out who calls, before anything of the request is looked at; the account is read once and strongly, so that the
// use case sees every write that was answered before.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { fail, FailureError } from '#domain/errors.ts';
import type { Gate } from '#domain/ports/gate.ts';
import type { RouteRow } from '#contract/define-route.ts';
import type { Account } from '#domain/identity/account.ts';
import type { Wallet } from '#domain/values/wallet.ts';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { HttpMiddleware } from './open-exchange.ts';
import { payingWallet, refuseSpent } from './pay.ts';

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,2048})$/i;

const bearerOf = (event: APIGatewayProxyEventV2): string => {
  const credential = BEARER.exec(event.headers['authorization'] ?? '')?.[1];
  if (credential === undefined) throw new FailureError(fail('unauthorized'));
  return credential;
};

/** The wallet behind the credential: the payer of a paid call, else the holder of the Bearer. */
const callerOf = async (gate: Gate, event: APIGatewayProxyEventV2, exchange: Exchange): Promise<Wallet> => {
  const payer = await payingWallet(gate, event, exchange);
  if (payer) return payer;
  const wallet = await gate.credentials.walletOf(bearerOf(event), exchange.now);
  if (!wallet.ok) throw new FailureError(wallet);
  return wallet.value;
};

/** Read cheaply where the row allows it; an account that was made a moment ago is then looked for again. */
const readAccount = async (gate: Gate, wallet: Wallet, row: RouteRow): Promise<Account | undefined> => {
  const cheap = row.accountRead === 'eventual' ? await gate.accounts.byWallet(wallet, { strong: false }) : undefined;
  return cheap ?? gate.accounts.byWallet(wallet, { strong: true });
};

export const authenticateMiddleware = (gate: Gate): HttpMiddleware => ({
  before: async ({ event }) => {
    const exchange = exchangeOf(event);
    const { access, planned } = exchange.row;
    if (access !== 'public') {
      exchange.wallet = await callerOf(gate, event, exchange);
      const account = await readAccount(gate, exchange.wallet, exchange.row);
      await refuseSpent(exchange);
      if (account) exchange.account = account;
      else if (access === 'account' && !exchange.payment) throw new FailureError(fail('no_handle'));
    }
    if (planned) throw new FailureError(fail('not_implemented'));
  },
});
