// Prices of attention in USDC, as numbers: they are shown, never booked. Rounded at the edge only.
import type { PairCounts } from '../ports/attention.ts';
import type { AttentionConfig } from './config.ts';

/** p(t) = p0 * (1 + alpha * D(t)) ^ beta. */
export const recipientPrice = ({ basePrice, alpha, beta }: AttentionConfig, demand: number): number =>
  basePrice * (1 + alpha * demand) ** beta;

/** R: the share of a sender's mail that the recipient answered; 0 when there was none. */
export const replyRate = ({ sent, replied }: PairCounts): number => (sent === 0 ? 0 : Math.min(1, replied / sent));

/** p(t) * (1 - gamma * R), and at least p0 * (1 - gamma). */
export const senderPrice = (config: AttentionConfig, demand: number, rate: number): number =>
  Math.max(recipientPrice(config, demand) * (1 - config.gamma * rate), config.basePrice * (1 - config.gamma));
