// What a name costs right now and whether it is sold, as the registrar on chain says.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Names, RegisterCall } from '../ports/wallets.ts';
import type { HandlePorts } from './choose-handle.ts';
import { isReservedHandle, type Wallet } from '../values/wallet.ts';

export interface Offer {
  readonly label: string;
  readonly isAvailable: boolean;
  /** One year in wei, any premium included. */
  readonly priceWei: bigint;
}

/** The label that a text names, or 400: the interface's pattern first, then what name normalisation leaves unchanged. */
export const requireLabel = (names: Pick<Names, 'parseLabel'>, text: string): Outcome<string> => {
  const label = names.parseLabel(text);
  return label === undefined ? fail('invalid_name') : ok(label);
};

/** Asks for availability and price together; a chain that does not answer is `price_unavailable`. */
export const readOffer = async (names: Names, label: string): Promise<Outcome<Offer>> => {
  const [isAvailable, priceWei] = await Promise.all([names.isAvailable(label), names.price(label)]);
  if (isAvailable === 'unavailable' || priceWei === 'unavailable') return fail('price_unavailable');
  return ok({ label, isAvailable, priceWei });
};

/** The price of a name (interface, `GET /api/register/price/{name}`). */
export const priceName = async (names: Names, text: string): Promise<Outcome<Offer>> => {
  const label = requireLabel(names, text);
  return label.ok ? readOffer(names, label.value) : label;
};

/** The transaction that buys a name for `owner`, whoever sends it. */
export const buyData = async (
  { names, handles }: HandlePorts,
  text: string,
  owner: Wallet,
): Promise<Outcome<{ offer: Offer; call: RegisterCall }>> => {
  const offer = await priceName(names, text);
  if (!offer.ok) return offer;
  const { label, isAvailable, priceWei } = offer.value;
  // It could be bought, and then not be used here: the buyer would have paid for nothing.
  if (isReservedHandle(label)) return fail('name_unavailable', { message: 'The handle is reserved' });
  const holder = await handles.ownerOf(label);
  if (holder && holder.wallet !== owner) return fail('name_unavailable', { message: 'Another wallet goes by this name here' });
  if (!isAvailable) return fail('name_unavailable');
  return ok({ offer: offer.value, call: await names.registerCall(label, owner, priceWei) });
};
