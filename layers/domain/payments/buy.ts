// Purchases by transaction hash: credits and the Pro tier for ETH, attention points for USDC.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { PaymentChainId, RedeemedPayment } from '../ports/payments.ts';
import type { Accounts } from '../ports/stores.ts';
import type { Ids } from '../values/id.ts';
import { type FindPaymentPorts, findPayment, type PaymentWanted } from './find-payment.ts';
import { ATTN_PURCHASE_UNITS_MIN, attnFor, CREDIT_PURCHASE_WEI_MIN, creditsFor, parseUsdcNumber, PRO_PRICE_WEI } from './pricing.ts';
import { type Bought, ETH_CHAIN_IDS, redeemChanges, redeemedPayment } from './redeem.ts';

export interface BuyPorts extends FindPaymentPorts {
  readonly accounts: Accounts;
  readonly committer: Committer;
  readonly ids: Ids;
}

export interface Purchase {
  readonly payment: RedeemedPayment;
  /** After the purchase. */
  readonly creditBalance: bigint;
  readonly attnBalance: bigint;
}

export interface BuyRequest {
  readonly account: Account;
  /** As the caller wrote it. */
  readonly txHash: string;
  readonly now: number;
  readonly commitReply: (purchase: Purchase) => Promise<Change[]>;
}

type Want = Pick<PaymentWanted, 'currency' | 'least' | 'chainIds' | 'isChainNamed'>;

const buy = async (ports: BuyPorts, request: BuyRequest, want: Want, boughtFor: (amount: bigint) => Bought): Promise<Outcome<Purchase>> => {
  const { wallet } = request.account;
  const to = ports.terms.depositAddress;
  if (to === undefined) return fail('misconfigured', { hint: 'The operator has to set a deposit address.' });
  const wanted: PaymentWanted = { ...want, text: request.txHash, wallet, to, now: request.now };
  const found = await findPayment(ports, wanted);
  if (!found.ok) return found;
  const payment = redeemedPayment(found.value, wanted, boughtFor(found.value.amount));
  // Asking the chains takes a while, so the balances are read again for the reply.
  const account = (await ports.accounts.byWallet(wallet, { strong: true })) ?? request.account;
  const purchase = { payment, creditBalance: account.credits + payment.credits, attnBalance: account.attn + payment.attn };
  const committed = await ports.committer.commit([...redeemChanges(ports.ids, payment), ...(await request.commitReply(purchase))]);
  return committed.ok ? ok(purchase) : committed;
};

/** A purchase with ETH; `chainId` is the chain that the payer names, if any. */
export interface EthBuyRequest extends BuyRequest {
  readonly chainId: 8453 | 1 | undefined;
}

const ethOf = (least: bigint, { chainId }: EthBuyRequest): Want => ({
  currency: 'ETH',
  least,
  chainIds: chainId === undefined ? ETH_CHAIN_IDS : [chainId],
  isChainNamed: chainId !== undefined,
});

/** Buys credits with ETH on Base or Ethereum (interface, `POST /api/credits/buy`). */
export const buyCredits = (ports: BuyPorts, request: EthBuyRequest): Promise<Outcome<Purchase>> =>
  buy(ports, request, ethOf(CREDIT_PURCHASE_WEI_MIN, request), (wei) => ({
    product: 'credits',
    credits: creditsFor(wei),
    attn: 0n,
  }));

/** Buys the Pro tier; what is paid above its price becomes credits (interface, `POST /api/pro/buy`). */
export const buyPro = async (ports: BuyPorts, request: EthBuyRequest): Promise<Outcome<Purchase>> => {
  if (request.account.tier === 'pro') return fail('already_pro');
  return buy(ports, request, ethOf(PRO_PRICE_WEI, request), (wei) => ({
    product: 'pro',
    credits: creditsFor(wei - PRO_PRICE_WEI),
    attn: 0n,
  }));
};

const ATTN_CHAIN_IDS: readonly PaymentChainId[] = [8453];

/** Buys ATTN with USDC on Base, for what the chain shows: at least `amountUsdc`, and at least one ATTN (decisions, "ATTN"). */
export const buyAttn = async (ports: BuyPorts, request: BuyRequest & { readonly amountUsdc: number }): Promise<Outcome<Purchase>> => {
  const claimed = parseUsdcNumber(request.amountUsdc);
  if (!claimed.ok) return claimed;
  const least = claimed.value > ATTN_PURCHASE_UNITS_MIN ? claimed.value : ATTN_PURCHASE_UNITS_MIN;
  return buy(ports, request, { currency: 'USDC', least, chainIds: ATTN_CHAIN_IDS, isChainNamed: false }, (units) => ({
    product: 'attn',
    credits: 0n,
    attn: attnFor(units),
  }));
};
