// A send that was paid for by call: the sender is the payer, whose account is made on the fly when there is none, and the
// payment brings the credit that a message to the outside takes.
import { FailureError } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { addressHandle } from '../identity/choose-handle.ts';
import { createAccount, type CreateAccountPorts, newAccount } from '../identity/create-account.ts';
import type { Movement } from '../ledger/movements.ts';
import type { Change } from '../ports/changes.ts';
import type { Charged } from '../ports/pay-per-call.ts';
import type { Wallet } from '../values/wallet.ts';
import type { SentMail } from './send-request.ts';

/** The payer's account, or the one that it will get: with a 0x handle, whatever names it owns. */
export const payersAccount = (account: Account | undefined, payer: Wallet, now: number): Account =>
  account ?? newAccount(payer, addressHandle(payer), [], now);

/**
 * One credit bought by the call. Its row has the id of the message, which sorts right below the row that takes the credit;
 * that no payment buys two is the condition on the paid call, in the same transaction.
 */
const creditBought = (wallet: Wallet, emailId: string, reference: string, at: number): Movement => ({
  id: emailId,
  asset: 'CREDIT',
  type: 'purchase',
  debit: 'mint',
  credit: wallet,
  amount: 1n,
  at,
  reference: { txHash: reference, chain: 'tempo' },
});

/** Makes the account of a payer who has none; another request that made it meanwhile is as good. */
const makeAccount = async (ports: CreateAccountPorts, wallet: Wallet, now: number): Promise<void> => {
  const made = await createAccount(ports, { wallet, chosen: addressHandle(wallet), now, along: async () => [] });
  if (!made.ok && made.code !== 'wallet_already_registered') throw new FailureError(made);
};

export interface PaidSend {
  readonly wallet: Wallet;
  /** Undefined when the payer has none yet. */
  readonly account: Account | undefined;
  readonly now: number;
  readonly charge: () => Promise<Charged>;
}

/**
 * Takes the money and readies the account, just before the message is committed; gives what goes along with it.
 *
 * @throws FailureError when the charge is refused; nothing is made then.
 */
export const settlePaidSend = async (ports: CreateAccountPorts, send: PaidSend, mail: SentMail): Promise<Change[]> => {
  const { wallet, account, now } = send;
  const { reference } = await send.charge();
  if (!account) await makeAccount(ports, wallet, now);
  return mail.external ? [{ kind: 'movement', movement: creditBought(wallet, mail.emailId, reference, now) }] : [];
};
