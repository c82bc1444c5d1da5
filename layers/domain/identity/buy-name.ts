// Pays for a name: one purchase at a time, signed and stored before it is sent, and then seen through. Whatever dies in
// between, the same signed transaction is all that is ever sent again, and its nonce lets the chain take it once.
import { fail, type Failure, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { LaneState, NameBuyer, NonceLane, Purchase, Purchases } from '../ports/names.ts';
import type { RegisterCall } from '../ports/wallets.ts';
import type { Ids } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';

export interface BuyPorts {
  readonly buyer: NameBuyer;
  readonly lane: NonceLane;
  readonly purchases: Purchases;
  readonly committer: Committer;
  readonly ids: Ids;
}

export interface BuyRequest {
  readonly wallet: Wallet;
  readonly label: string;
  readonly call: RegisterCall;
  readonly priceWei: bigint;
  readonly now: number;
}

/** The schedule leaves a purchase this long to the request that made it. */
const PATIENCE_SECONDS = 120;
const TOKEN_CHARACTERS = 24;

const BUSY = fail('try_again', {
  message: 'Another name is being bought',
  hint: 'Nothing was paid; try again in a few seconds.',
  retryAfterSeconds: 5,
});
/** Sent and without an end yet: 5xx replies are not stored, so the same request may come again and finds the purchase. */
const UNDER_WAY = fail('chain_unavailable', {
  message: 'The purchase was sent and is not confirmed yet',
  hint: 'Repeat the same request in a few seconds; the name is paid once.',
  retryAfterSeconds: 5,
});
const FAILED = fail('purchase_failed', { hint: 'Nothing was paid for; the name may have been bought by someone else.' });

/** Whether a purchase ended because nothing was sent: the name may be asked for again as if for the first time. */
export const isUnsent = (failure: Failure): boolean => failure !== UNDER_WAY && failure !== FAILED;

const endOf = (purchase: Purchase, state: 'done' | 'failed'): Change => ({
  kind: 'purchase.end',
  wallet: purchase.wallet,
  hash: purchase.hash,
  state,
});

/** Notes the end of a purchase; whoever noted it before noted the same. */
export const endPurchase = async (committer: Committer, purchase: Purchase, state: 'done' | 'failed'): Promise<void> => {
  await committer.commit([endOf(purchase, state)]);
};

/** Sends a stored purchase (again) and says how it ended. */
export const seePurchaseThrough = async (ports: Pick<BuyPorts, 'buyer' | 'committer'>, purchase: Purchase): Promise<Outcome<Purchase>> => {
  const end = await ports.buyer.seeThrough(purchase);
  if (end === 'pending') return UNDER_WAY;
  if (end === 'bought') return ok(purchase);
  await endPurchase(ports.committer, purchase, 'failed');
  return FAILED;
};

/** What the last holder of the lane left behind is seen through first: a nonce that is skipped would block all after it. */
const clearLane = async (ports: BuyPorts, { current }: LaneState): Promise<boolean> => {
  const left = current && (await ports.purchases.find(current));
  return left?.state !== 'sent' || (await ports.buyer.seeThrough(left)) !== 'pending';
};

const signAndStore = async (ports: BuyPorts, request: BuyRequest, state: LaneState, laneToken: string): Promise<Outcome<Purchase>> => {
  const { wallet, label, call, priceWei, now } = request;
  const nonce = await ports.buyer.nextNonce(state.nextNonce);
  if (nonce === 'unavailable') return fail('chain_unavailable');
  const signed = await ports.buyer.sign(call, nonce);
  if (signed === 'unavailable') return fail('chain_unavailable');
  const purchase: Purchase = { wallet, label, state: 'sent', ...signed, nonce, priceWei, createdAt: now, dueAt: now + PATIENCE_SECONDS };
  const stored = await ports.committer.commit([{ kind: 'purchase.send', purchase, laneToken }]);
  return stored.ok ? ok(purchase) : stored;
};

const buyInLane = async (ports: BuyPorts, request: BuyRequest, state: LaneState, laneToken: string): Promise<Outcome<Purchase>> => {
  const purchase = await signAndStore(ports, request, state, laneToken);
  if (!purchase.ok) {
    await ports.lane.release(laneToken, true);
    return purchase;
  }
  const end = await seePurchaseThrough(ports, purchase.value);
  await ports.lane.release(laneToken, end.ok || end.code === 'purchase_failed');
  return end;
};

/**
 * Buys one name. The caller has checked everything that could refuse, and counted the limits.
 *
 * @returns the purchase once the name is the wallet's; `purchase_failed` when it reverted; `chain_unavailable` when it is
 * under way; `try_again` when the lane stayed busy and nothing was paid.
 */
export const buyName = async (ports: BuyPorts, request: BuyRequest): Promise<Outcome<Purchase>> => {
  const laneToken = ports.ids.token(TOKEN_CHARACTERS);
  const state = await ports.lane.take(laneToken, request.now);
  if (state === 'busy') return BUSY;
  if (!(await clearLane(ports, state))) {
    await ports.lane.release(laneToken, false);
    return BUSY;
  }
  return buyInLane(ports, request, state, laneToken);
};
