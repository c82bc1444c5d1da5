// What attention costs right now: for anyone, and for one sender.
import { notFound, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { findByHandle, type LookUpPorts } from '../identity/look-up.ts';
import type { AttentionConfigs, Pairs } from '../ports/attention.ts';
import type { Whitelists } from '../ports/stores.ts';
import { parseWallet } from '../values/wallet.ts';
import { type AttentionConfig, CONFIG_DEFAULTS } from './config.ts';
import { demandOf } from './demand.ts';
import { recipientPrice, replyRate, senderPrice } from './price.ts';

export interface QuotePorts extends LookUpPorts {
  readonly configs: AttentionConfigs;
  readonly pairs: Pairs;
  readonly whitelists: Whitelists;
}

export interface Quote {
  readonly recipient: Account;
  /** The defaults when none was ever stored; bonds are off then. */
  readonly config: AttentionConfig;
  readonly demand: number;
  /** USDC, unrounded; 0 while bonds are off. */
  readonly price: number;
}

export interface SenderQuote extends Quote {
  readonly replyRate: number;
  readonly whitelisted: boolean;
}

/** The price for a sender that nothing is known of; 404 for an unknown handle. */
export const quote = async (ports: QuotePorts, handle: string, now: number): Promise<Outcome<Quote>> => {
  const recipient = await findByHandle(ports, handle);
  if (!recipient) return notFound('Handle');
  const config = (await ports.configs.of(recipient.wallet)) ?? CONFIG_DEFAULTS;
  const demand = demandOf(recipient, now);
  return ok({ recipient, config, demand, price: config.enabled ? recipientPrice(config, demand) : 0 });
};

/** The price for one sender, a handle or a wallet. An unknown sender has no history here, so it pays the full price. */
export const quoteFor = async (ports: QuotePorts, handle: string, sender: string, now: number): Promise<Outcome<SenderQuote>> => {
  const base = await quote(ports, handle, now);
  if (!base.ok) return base;
  const { recipient, config, demand } = base.value;
  const wallet = parseWallet(sender) ?? (await findByHandle(ports, sender))?.wallet;
  if (!wallet) return ok({ ...base.value, replyRate: 0, whitelisted: false });
  const [counts, whitelisted] = await Promise.all([
    ports.pairs.between(recipient.wallet, wallet),
    ports.whitelists.holds(recipient.wallet, wallet),
  ]);
  const rate = replyRate(counts);
  const isFree = !config.enabled || whitelisted;
  return ok({ ...base.value, price: isFree ? 0 : senderPrice(config, demand, rate), replyRate: rate, whitelisted });
};
