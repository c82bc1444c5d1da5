// A name that the service buys for a wallet (`auto_basename`): everything that can refuse is asked before a limit is
// counted and money is spent, and a purchase that was paid before is taken up instead of paid again.
import { fail, type Failure, ok, type Outcome } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Purchase } from '../ports/names.ts';
import type { Limit, Limiter, LimitState } from '../ports/stores.ts';
import type { RegisterCall } from '../ports/wallets.ts';
import { isReservedHandle, type Wallet } from '../values/wallet.ts';
import { type BuyPorts, buyName, endPurchase, isUnsent, seePurchaseThrough } from './buy-name.ts';
import type { HandlePorts } from './choose-handle.ts';
import { heldByAnother, reservedHandle } from './handle-conflicts.ts';
import { readOffer, requireLabel } from './name-offer.ts';

/** 0.002 ETH: the service pays for nothing dearer (interface, "Limits" 5). */
export const SPONSORED_PRICE_MAX_WEI = 2_000_000_000_000_000n;

export interface SponsorPorts extends HandlePorts, BuyPorts {
  readonly limiter: Limiter;
}

export interface SponsorRequest {
  readonly wallet: Wallet;
  /** The name as it was asked for. */
  readonly text: string;
  readonly sourceIp: string;
  readonly now: number;
  readonly showLimits: (state: LimitState) => void;
  /** Takes the money of a call that is paid for; such a call counts on no limit. */
  readonly charge?: (() => Promise<unknown>) | undefined;
  /** Limits to count besides the one of sponsored names, in this order before it. */
  readonly limits: readonly Limit[];
}

export interface SponsoredName {
  readonly label: string;
  /** The payment behind it; undefined when the wallet owned the name already. */
  readonly purchase: Purchase | undefined;
}

const REFUSALS: Readonly<Record<'refused' | 'unfunded' | 'unavailable', Failure>> = {
  refused: fail('purchase_failed', { hint: 'The registrar would refuse this purchase; nothing was paid.' }),
  unfunded: fail('auto_registration_unavailable', { message: 'The service cannot pay for names at the moment' }),
  unavailable: fail('chain_unavailable'),
};

interface Priced {
  readonly call: RegisterCall;
  readonly priceWei: bigint;
}

/** Everything that can refuse a purchase; `owned` when there is nothing to buy. */
const prepare = async (ports: SponsorPorts, wallet: Wallet, label: string): Promise<Outcome<Priced | 'owned'>> => {
  const holder = await ports.handles.ownerOf(label);
  if (holder && holder.wallet !== wallet) return heldByAnother(label);
  const offer = await readOffer(ports.names, label);
  if (!offer.ok) return offer;
  if (!offer.value.isAvailable) {
    const owner = await ports.names.ownerOf(label);
    if (owner === 'unavailable') return fail('chain_unavailable');
    return owner !== 'none' && owner.owner === wallet ? ok('owned') : fail('name_unavailable');
  }
  const { priceWei } = offer.value;
  if (priceWei > SPONSORED_PRICE_MAX_WEI) return fail('name_too_expensive');
  const call = await ports.names.registerCall(label, wallet, priceWei);
  const trial = await ports.buyer.simulate(call);
  return trial === 'passes' ? ok({ call, priceWei }) : REFUSALS[trial];
};

const limitsOf = (request: SponsorRequest): Limit[] => (request.charge ? [] : [...request.limits, LIMITS.sponsoredBasename]);

/** Takes back what was counted: a request that a limit refuses, and a purchase that was not sent, count nowhere. */
const uncount = async (ports: SponsorPorts, request: SponsorRequest, limits: readonly Limit[]): Promise<void> => {
  await Promise.all(limits.map((limit) => ports.limiter.release(limit, request.sourceIp, request.now)));
};

const countLimits = async (ports: SponsorPorts, request: SponsorRequest): Promise<Outcome<void>> => {
  await request.charge?.();
  const counted: Limit[] = [];
  for (const limit of limitsOf(request)) {
    const state = await ports.limiter.take(limit, request.sourceIp, request.now);
    request.showLimits(state);
    if (!state.isAllowed) {
      await uncount(ports, request, counted);
      return fail('rate_limited');
    }
    counted.push(limit);
  }
  return ok(undefined);
};

const buyFresh = async (ports: SponsorPorts, request: SponsorRequest, label: string): Promise<Outcome<SponsoredName>> => {
  const priced = await prepare(ports, request.wallet, label);
  if (!priced.ok) return priced;
  if (priced.value === 'owned') return ok({ label, purchase: undefined });
  const counted = await countLimits(ports, request);
  if (!counted.ok) return counted;
  const { wallet, now } = request;
  const bought = await buyName(ports, { wallet, label, now, ...priced.value });
  if (bought.ok) return ok({ label, purchase: bought.value });
  if (isUnsent(bought)) await uncount(ports, request, limitsOf(request));
  return bought;
};

/** The payment of an earlier request that did not live to use it; no limit is counted, since none is spent. */
const takeUp = async (
  ports: SponsorPorts,
  request: SponsorRequest,
  open: Purchase,
  label: string,
): Promise<Outcome<SponsoredName> | 'nothing'> => {
  const end = await seePurchaseThrough(ports, open);
  if (!end.ok) return end.code === 'purchase_failed' ? 'nothing' : end;
  const owner = await ports.names.ownerOf(open.label);
  if (owner === 'unavailable') return fail('chain_unavailable');
  if (owner === 'none' || owner.owner !== request.wallet) {
    // Paid, and given away since: there is nothing to take up.
    await endPurchase(ports.committer, open, 'done');
    return 'nothing';
  }
  if (open.label === label) return ok({ label, purchase: open });
  const hint = `Repeat the request with basename_name "${open.label}".`;
  return fail('name_unavailable', { message: `The service has bought ${open.label} for this wallet already`, hint });
};

/** Gets a name for a wallet and gives it back owned. */
export const sponsorName = async (ports: SponsorPorts, request: SponsorRequest): Promise<Outcome<SponsoredName>> => {
  const label = requireLabel(ports.names, request.text);
  if (!label.ok) return label;
  if (isReservedHandle(label.value)) return reservedHandle(label.value);
  if (!(await ports.buyer.isReady())) return fail('auto_registration_unavailable');
  const open = await ports.purchases.find(request.wallet);
  const taken = open?.state === 'sent' ? await takeUp(ports, request, open, label.value) : 'nothing';
  return taken === 'nothing' ? buyFresh(ports, request, label.value) : taken;
};
