// Webhooks as the domain sees them: endpoints, the log of their deliveries, the jobs that carry an event to one
// endpoint, and what is asked of storage, queues and the network for it.
import type { Wallet } from '../values/wallet.ts';

/** `good`: the last answers were fine and quick; `slow`: they were not; `new`: there was none yet. */
export type Standing = 'new' | 'good' | 'slow';

/** A secret as it is stored: encrypted, and for one that was replaced the moment at which it stops signing. */
export interface RetiredSecret {
  readonly sealed: string;
  readonly until: number;
}

export interface Webhook {
  readonly wallet: Wallet;
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly disabledReason: string | null;
  readonly createdAt: number;
  readonly sealedSecret: string;
  readonly retiredSecrets: readonly RetiredSecret[];
  readonly standing: Standing;
  /** When the first failure since the last success happened. */
  readonly failingSince: number | null;
}

/** What happened, as it is told to one endpoint; the body is the same on every attempt. */
export interface DeliveryEvent {
  readonly type: string;
  readonly emailId: string | null;
  readonly body: string;
  readonly createdAt: number;
}

export type DeliveryProgress = 'pending' | 'delivered' | 'dead';

/** A row of the log, written after the first attempt, or before it when someone ordered the delivery. */
export interface Delivery extends DeliveryEvent {
  readonly wallet: Wallet;
  readonly webhookId: string;
  /** Also its `webhook-id`. */
  readonly id: string;
  readonly state: DeliveryProgress;
  readonly attempts: number;
  /** Someone ordered it: one attempt, whether the webhook is on or off, which does not count for or against it. */
  readonly isOrdered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly latencyMs: number | null;
  readonly excerpt: string | null;
  readonly attemptedAt: number | null;
  readonly nextAttemptAt: number | null;
  /** When the sweep looks after it; later than the next attempt when a queue carries that one. */
  readonly sweepAt: number | null;
}

/** One attempt to make. `attempt` counts from 1; a job whose attempt was made already does nothing. */
export interface DeliveryJob {
  readonly wallet: Wallet;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly attempt: number;
  /** How often the job found every slot of its endpoint taken. */
  readonly deferrals: number;
  /** Comes with the first attempt of an event; later ones find it in the log. */
  readonly event?: DeliveryEvent;
}

/** First attempts at endpoints in good standing have a lane of their own, so that nothing else can hold them up. */
export type Lane = 'deliveries' | 'retries';

export interface DeliveryQueue {
  /** Either all are queued or it throws; delays are whole seconds up to 900. */
  send(lane: Lane, entries: readonly { readonly job: DeliveryJob; readonly delaySeconds: number }[]): Promise<void>;
}

/** The right to call an endpoint now; it runs out by itself when its holder dies. */
export interface Slot {
  readonly webhook: Webhook;
  readonly index: number;
}

export type SlotResult =
  | { readonly result: 'taken'; readonly slot: Slot }
  | { readonly result: 'busy'; readonly standing: Standing }
  | { readonly result: 'missing' };

/** What a round of attempts says about the endpoint. */
export type Health =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'working'; readonly standing: 'good' | 'slow' }
  | { readonly kind: 'failing'; readonly at: number }
  | { readonly kind: 'gone'; readonly reason: string };

export interface Webhooks {
  /** Strongly consistent: a webhook that was answered hears of the next mail. */
  list(wallet: Wallet): Promise<readonly Webhook[]>;
  byId(wallet: Wallet, id: string): Promise<Webhook | undefined>;
  /** Endpoints in poor standing get no slot in the lane of first attempts. */
  takeSlot(wallet: Wallet, id: string, lane: Lane, now: number): Promise<SlotResult>;
  /** Gives the slot back and notes the health; undefined when the webhook changed its address or went away meanwhile. */
  releaseSlot(slot: Slot, health: Health): Promise<Webhook | undefined>;
  /** Switches a failing webhook off, unless it succeeded since `failingSince`. */
  disable(webhook: Webhook, reason: string): Promise<void>;
  /** Webhooks that have been failing since `before` or longer. */
  failing(before: number, limit: number): Promise<readonly Webhook[]>;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Id of the last row when there may be more. */
  readonly lastId?: string;
}

export interface Deliveries {
  byId(wallet: Wallet, webhookId: string, id: string): Promise<Delivery | undefined>;
  /** Newest first. */
  list(page: {
    readonly wallet: Wallet;
    readonly webhookId: string;
    readonly limit: number;
    readonly after?: string;
  }): Promise<DeliveryPage>;
  /** Writes down that the first attempt is being made, by us alone until the moment given; false when it is written already. */
  begin(delivery: Delivery, until: number): Promise<boolean>;
  /** Keeps others from making the next attempt too, until the moment given; false when someone else makes or made it. */
  claim(delivery: Delivery, now: number, until: number): Promise<boolean>;
  /** Writes what became of a delivery that had `before` attempts; does nothing when someone wrote it since. */
  record(delivery: Delivery, before: number): Promise<void>;
  remove(wallet: Wallet, webhookId: string, id: string): Promise<void>;
  /** Deliveries that the sweep has to look after. */
  due(now: number, limit: number): Promise<readonly Delivery[]>;
  /** Moves the sweep's next look at a delivery, unless an attempt was made meanwhile. */
  postpone(delivery: Delivery, sweepAt: number): Promise<void>;
}

export interface Signing {
  /** `webhook-id` and the Unix seconds of `webhook-timestamp`. */
  readonly id: string;
  readonly timestamp: number;
  /** The newest first. */
  readonly secrets: readonly string[];
}

export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly excerpt: string;
      readonly latencyMs: number;
      /** Seconds that the endpoint asks to be left alone. */
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'failed'; readonly error: string; readonly latencyMs: number };

export interface Endpoints {
  /** Posts one signed event; never throws for anything that the endpoint or the network does. */
  post(url: string, body: string, signing: Signing): Promise<Answer>;
}
