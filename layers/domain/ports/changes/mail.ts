// Changes of the mail area beyond its rows.
import type { MailRow } from '../../mail/mail.ts';
import type { Wallet } from '../../values/wallet.ts';
import type { Standing, Upload } from '../mail.ts';

export type MailAreaChange =
  /** Remembers under which id the provider sent a message. */
  | { readonly kind: 'wire.put'; readonly wireId: string; readonly wallet: Wallet; readonly emailId: string; readonly expiresAt: number }
  /** Stops an account from writing to an address again. */
  | {
      readonly kind: 'suppression.put';
      readonly wallet: Wallet;
      readonly address: string;
      readonly why: 'bounced' | 'complained';
      readonly at: number;
    }
  /** Counts one more message of an account that leaves. */
  | { readonly kind: 'standing.sent'; readonly wallet: Wallet }
  /** Writes which bounces are remembered; refused when another came in between. */
  | { readonly kind: 'standing.bounces'; readonly wallet: Wallet; readonly before: Standing; readonly bouncedAt: readonly number[] }
  | { readonly kind: 'upload.put'; readonly upload: Upload }
  /** Removes a pre-stored mail whose time is over; one that is gone already is gone. */
  | { readonly kind: 'mail.expire'; readonly row: MailRow }
  /** Subscribes an account to the digest of its unread mail, or ends that (`email: null`). */
  | { readonly kind: 'digest.set'; readonly wallet: Wallet; readonly email: string | null; readonly dueAt: number }
  /** Takes today's digest of an account; refused when someone else took it. */
  | { readonly kind: 'digest.take'; readonly wallet: Wallet; readonly email: string; readonly dueAt: number; readonly nextAt: number };
