// The vocabulary of writes. A use case ends in one list of changes, and the store commits the list as one transaction:
// all of it happens or none, whatever dies in between. A change that cannot be made names the failure it ends in.
import type { Failure, Outcome } from '../errors.ts';
import type { Arrival } from '../attention/demand.ts';
import type { Account } from '../identity/account.ts';
import type { Movement } from '../ledger/movements.ts';
import type { Stake } from '../ledger/stakes.ts';
import type { Attachment, DeliveryState, MailRow } from '../mail/mail.ts';
import type { Wallet } from '../values/wallet.ts';
import type { AttentionChange } from './changes/attention.ts';
import type { AirdropChange } from './changes/airdrop.ts';
import type { NameChange } from './changes/names.ts';
import type { MailAreaChange } from './changes/mail.ts';
import type { PaymentChange } from './changes/payments.ts';
import type { WorldIdChange } from './changes/world-id.ts';
import type { WebhookChange } from './changes/webhooks.ts';

/** Counters of an account that changes may add to. */
export type AccountCounter =
  | 'inbox'
  | 'unread'
  | 'sent'
  | 'quarantine'
  | 'bonded'
  | 'pendingStakes'
  /** What was ever done, whatever is deleted later. */
  | 'everReceived'
  | 'everRead'
  | 'everReplied'
  | 'everSent'
  | 'everStaked';

/** Plain fields of an account that changes may set. */
export interface AccountFields {
  readonly handle?: string;
  readonly basename?: string | null;
  readonly source?: Account['source'];
  readonly tier?: Account['tier'];
  readonly receivePrice?: bigint;
  readonly lastClaimDay?: number;
  readonly isHuman?: boolean;
}

export interface OutboxEntry {
  readonly wallet: Wallet;
  readonly emailId: string;
  readonly to: string;
  readonly dueAt: number;
  readonly createdAt: number;
}

export interface ApiKey {
  readonly id: string;
  readonly wallet: Wallet;
  readonly name: string | null;
  readonly prefix: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** The part of a stored reply that belongs into the transaction of its cause (see ports/idempotency.ts). */
export interface ClaimToken {
  readonly key: string;
  readonly token: string;
}

/** ATTN earned today by a change. */
export interface Earning {
  readonly day: number;
  readonly before: { readonly day: number; readonly earned: bigint };
  readonly amount: bigint;
  /**
   * Refused only when the day's sum would pass this, for an amount that does not depend on what was earned before;
   * absent: refused whenever another change earned in between.
   */
  readonly upTo?: bigint;
}

export type Change =
  | AttentionChange
  | WebhookChange
  | AirdropChange
  | PaymentChange
  | WorldIdChange
  | NameChange
  | MailAreaChange
  | { readonly kind: 'account.create'; readonly account: Account; readonly refusal: Failure }
  /** Adds to counters and sets fields of an account that must exist, or of a wallet's pending mailbox when `pending`. */
  | {
      readonly kind: 'account.change';
      readonly wallet: Wallet;
      readonly add?: Partial<Record<AccountCounter, number>>;
      readonly set?: AccountFields;
      /** Refused as `try_again` when the handle is another one meanwhile. */
      readonly whileHandle?: string;
      /** Counts one mail on its UTC day, and forgets the days that no demand looks at any more. */
      readonly arrival?: Arrival;
      readonly earn?: Earning;
      readonly refusal?: Failure;
    }
  /** Writes the rows and moves the balances; `refusal` is the answer to a balance that is too low. */
  | {
      readonly kind: 'movement';
      readonly movement: Movement;
      readonly refusal?: Failure;
    }
  | {
      readonly kind: 'handle.claim';
      readonly handle: string;
      readonly wallet: Wallet;
      readonly role: 'handle' | 'alias';
      readonly at: number;
    }
  | { readonly kind: 'handle.held'; readonly handle: string; readonly wallet: Wallet; readonly refusal: Failure }
  | { readonly kind: 'mail.put'; readonly row: MailRow; readonly attachments: readonly Attachment[] }
  /** Marks a mail read and, when it carries a pending stake, says how that ended; refused when the row moved on meanwhile. */
  | { readonly kind: 'mail.read'; readonly row: MailRow; readonly stakeStatus?: Stake['status'] }
  /** Ends the stake of a mail that stays unread. */
  | { readonly kind: 'mail.settle'; readonly row: MailRow; readonly stakeStatus: Stake['status'] }
  | { readonly kind: 'mail.delete'; readonly row: MailRow }
  | {
      readonly kind: 'mail.delivery';
      readonly owner: Wallet;
      readonly id: string;
      readonly from: readonly DeliveryState[];
      readonly to: DeliveryState;
      readonly wireId?: string;
    }
  /** Turns pre-stored mail into the mail of a new account. */
  | { readonly kind: 'mail.keep'; readonly owner: Wallet; readonly id: string; readonly hasAttachments: boolean }
  | { readonly kind: 'pending.add'; readonly wallet: Wallet; readonly refusal: Failure }
  | { readonly kind: 'pending.adopt'; readonly wallet: Wallet; readonly version: number }
  | { readonly kind: 'nonce.consume'; readonly nonce: string; readonly now: number }
  | { readonly kind: 'refresh.put'; readonly hash: string; readonly wallet: Wallet; readonly expiresAt: number }
  | { readonly kind: 'refresh.consume'; readonly hash: string; readonly now: number }
  | { readonly kind: 'key.put'; readonly key: ApiKey }
  | { readonly kind: 'key.revoke'; readonly key: ApiKey; readonly at: number }
  | { readonly kind: 'outbox.put'; readonly entry: OutboxEntry }
  /** Takes an entry out of the outbox; refused when someone else settled it. */
  | { readonly kind: 'outbox.settle'; readonly wallet: Wallet; readonly emailId: string }
  /** Remembers for good that a message's credit was given back; refused as `already_claimed` when it was before. */
  | { readonly kind: 'refund.mark'; readonly wallet: Wallet; readonly emailId: string }
  /** Remembers that something of a message was done; refused (as success) when it was before, unless by the same `by`. */
  | { readonly kind: 'inbound.seen'; readonly key: string; readonly now: number; readonly expiresAt: number; readonly by?: string }
  /** Takes such a mark back: what it stood for did not happen. */
  | { readonly kind: 'inbound.forget'; readonly key: string }
  /** Stores the reply of an idempotent request with its effect. */
  | {
      readonly kind: 'claim.commit';
      readonly claim: ClaimToken;
      readonly status: number;
      readonly body: unknown;
      readonly isSealed: boolean;
    }
  | { readonly kind: 'claim.drop'; readonly claim: ClaimToken };

/** Commits changes as one transaction, in the order of precedence of their refusals. */
export interface Committer {
  /** Ends in the refusal of the first change that could not be made; nothing is written then. */
  commit(changes: readonly Change[]): Promise<Outcome<void>>;
}
