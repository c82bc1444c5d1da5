// Changes of names: aliases, sponsored purchases, and the directory of agents.
import type { Account } from '../../identity/account.ts';
import type { Wallet } from '../../values/wallet.ts';
import type { Purchase } from '../names.ts';

export type NameChange =
  /** An alias becomes the handle of its account; refused when it is no alias of the wallet any more. */
  | { readonly kind: 'alias.promote'; readonly wallet: Wallet; readonly handle: string }
  /** A handle becomes an alias of its account. */
  | { readonly kind: 'alias.demote'; readonly wallet: Wallet; readonly handle: string; readonly at: number }
  | { readonly kind: 'alias.remove'; readonly wallet: Wallet; readonly handle: string }
  /** Remembers a signed purchase before it is sent; refused when the nonce lane went to someone else meanwhile. */
  | { readonly kind: 'purchase.send'; readonly purchase: Purchase; readonly laneToken: string }
  /** The purchase with this transaction is over; refused when it was ended before. */
  | { readonly kind: 'purchase.end'; readonly wallet: Wallet; readonly hash: string; readonly state: 'done' | 'failed' }
  /** Shows an account with a name in the directory, in the place of its registration. */
  | { readonly kind: 'directory.put'; readonly account: Account };
