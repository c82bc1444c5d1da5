// Changes of the older USDC attention: pricing, whitelists, answers, and the life of a bond.
import type { Bond } from '../../attention/bonds.ts';
import type { AttentionConfig } from '../../attention/config.ts';
import type { BondStatus, MailRow } from '../../mail/mail.ts';
import type { Wallet } from '../../values/wallet.ts';
import type { WhitelistEntry } from '../attention.ts';

export type AttentionChange =
  /** Sets the given fields and keeps the others, or gives them their defaults at the first write. */
  | {
      readonly kind: 'attention.configure';
      readonly wallet: Wallet;
      readonly set: Partial<AttentionConfig>;
      readonly defaults: AttentionConfig;
    }
  | { readonly kind: 'whitelist.put'; readonly owner: Wallet; readonly entry: WhitelistEntry }
  | { readonly kind: 'whitelist.remove'; readonly owner: Wallet; readonly sender: Wallet }
  /** Counts mail from a sender to a recipient, or the answer to one. */
  | { readonly kind: 'pair.count'; readonly recipient: Wallet; readonly sender: Wallet; readonly counted: 'sent' | 'replied' }
  /** Takes a bond over, on both sides; refused when the message has one. */
  | { readonly kind: 'bond.put'; readonly bond: Bond }
  /** Ends an active bond, on both sides; refused when it ended before. */
  | { readonly kind: 'bond.end'; readonly bond: Bond }
  /** Shows a bond on the row of its message. */
  | { readonly kind: 'mail.bond'; readonly row: MailRow; readonly bond: Bond }
  /** Marks a received mail answered, ends the bond it shows, or both; refused when the row moved on meanwhile. */
  | {
      readonly kind: 'mail.answer';
      readonly row: MailRow;
      readonly isAnswered: boolean;
      readonly bondStatus?: Exclude<BondStatus, 'active'>;
    };
