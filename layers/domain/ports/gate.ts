// Who is calling: what the HTTP stack asks before a use case runs.
import type { Outcome } from '../errors.ts';
import type { Wallet } from '../values/wallet.ts';
import type { Idempotency, Sealer } from './idempotency.ts';
import type { PayPerCall } from './pay-per-call.ts';
import type { Accounts } from './stores.ts';

export interface Credentials {
  /** The wallet behind a Bearer credential (session token or API key); `unauthorized` for anything else. */
  walletOf(bearer: string, now: number): Promise<Outcome<Wallet>>;
}

export interface Gate {
  readonly credentials: Credentials;
  readonly accounts: Accounts;
  readonly idempotency: Idempotency;
  readonly sealer: Sealer;
  /** Takes payments for single calls; absent where that is switched off. */
  readonly payments?: PayPerCall;
}
