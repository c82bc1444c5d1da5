// Changes of webhooks and of their ordered deliveries, as parts of a transaction.
import type { Failure } from '../../errors.ts';
import type { Wallet } from '../../values/wallet.ts';
import type { Delivery, RetiredSecret, Webhook } from '../webhooks.ts';

export type WebhookChange =
  /** Refused when the account has `most` already. */
  | { readonly kind: 'webhook.put'; readonly webhook: Webhook; readonly most: number; readonly refusal: Failure }
  /** Sets fields; `startsAfresh` also forgets how the endpoint did so far. */
  | {
      readonly kind: 'webhook.change';
      readonly wallet: Wallet;
      readonly id: string;
      readonly set: { readonly url?: string; readonly events?: readonly string[]; readonly isActive?: boolean };
      readonly startsAfresh: boolean;
    }
  /** Refused as raced when another rotation came first. */
  | {
      readonly kind: 'webhook.rotate';
      readonly webhook: Webhook;
      readonly sealedSecret: string;
      readonly retired: readonly RetiredSecret[];
    }
  | { readonly kind: 'webhook.delete'; readonly wallet: Wallet; readonly id: string }
  /** Orders a delivery: a new one, or one more attempt at one that stands as `was`. */
  | { readonly kind: 'delivery.order'; readonly delivery: Delivery; readonly was?: Delivery };
