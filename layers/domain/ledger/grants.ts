// What every new account is given, in the transaction that makes it (decisions, "Identity and sign-in").
import type { Ids } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import type { Movement } from './movements.ts';

export const SIGNUP_CREDITS = 10n;
export const SIGNUP_ATTN = 50n;

/** The sign-up grants of a wallet: ids derive from the wallet, so that no path can grant twice. */
export const signupGrants = (ids: Ids, wallet: Wallet, at: number): Movement[] => {
  const grant = { type: 'signup_grant', debit: 'mint', credit: wallet, at, reference: {} } as const;
  return [
    { ...grant, id: ids.derived(at, `signup ${wallet} CREDIT`), asset: 'CREDIT', amount: SIGNUP_CREDITS },
    { ...grant, id: ids.derived(at, `signup ${wallet} ATTN`), asset: 'ATTN', amount: SIGNUP_ATTN },
  ];
};
