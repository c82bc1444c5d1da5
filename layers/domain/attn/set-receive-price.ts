// The price of a reader's attention, in ATTN, for mail that is sent from now on.
import { invariant, type Outcome } from '../errors.ts';
import { RECEIVE_PRICE_MAX, RECEIVE_PRICE_MIN } from '../ledger/stakes.ts';
import type { Committer } from '../ports/changes.ts';
import type { Wallet } from '../values/wallet.ts';

/** Stores the receive price, 1 to 10 ATTN. */
export const setReceivePrice = (ports: { committer: Committer }, wallet: Wallet, price: bigint): Promise<Outcome<void>> => {
  invariant(price >= RECEIVE_PRICE_MIN && price <= RECEIVE_PRICE_MAX, `a receive price of ${price}`);
  return ports.committer.commit([{ kind: 'account.change', wallet, set: { receivePrice: price } }]);
};
