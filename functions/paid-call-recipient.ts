// Whether this deployment takes payments by call, and for whom.
import { parseWallet, type Wallet } from '#domain/values/wallet.ts';
import { type Config, optional } from '#runtime/config.ts';

/** Whom calls are paid to; undefined where the operator has switched that off or named no address. */
export const paidCallRecipient = (config: Config): Wallet | undefined =>
  optional('MPP_ENABLED') === 'true' ? parseWallet(config.depositAddress) : undefined;
