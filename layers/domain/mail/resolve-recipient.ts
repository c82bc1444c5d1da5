// Who an address of this service belongs to: case and plus tags do not matter, aliases lead to their account, and a
// wallet's address is a mailbox even before the wallet registers.
import type { Account } from '../identity/account.ts';
import type { Accounts, Handles } from '../ports/stores.ts';
import { parseWallet, type Wallet } from '../values/wallet.ts';

export type Recipient =
  /** `via` is the name that was looked up; the delivery holds it true until it commits. */
  | { readonly kind: 'account'; readonly account: Account; readonly via: string | undefined }
  /** A wallet without an account: its mail waits for it. */
  | { readonly kind: 'pending'; readonly wallet: Wallet }
  | { readonly kind: 'unknown' };

export interface RecipientPorts {
  readonly accounts: Accounts;
  readonly handles: Handles;
}

/** The mailbox name in a local part: lower case, without a `+tag` (RFC 5233 subaddressing). */
export const mailboxNameOf = (localPart: string): string => {
  const plus = localPart.indexOf('+');
  return (plus > 0 ? localPart.slice(0, plus) : localPart).toLowerCase();
};

/** Looks a mailbox name up. */
export const resolveRecipient = async (ports: RecipientPorts, mailboxName: string): Promise<Recipient> => {
  const wallet = parseWallet(mailboxName);
  if (wallet) {
    const account = await ports.accounts.byWallet(wallet, { strong: false });
    return account ? { kind: 'account', account, via: undefined } : { kind: 'pending', wallet };
  }
  const owner = await ports.handles.ownerOf(mailboxName);
  if (!owner) return { kind: 'unknown' };
  const account = await ports.accounts.byWallet(owner.wallet, { strong: false });
  // The pointer is written with the account; read eventually, it may be seen a moment before it.
  return account ? { kind: 'account', account, via: mailboxName } : { kind: 'unknown' };
};
