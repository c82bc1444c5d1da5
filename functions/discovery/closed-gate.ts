// The gate of a function whose rows are all public: no one is asked who they are, so neither the table nor a secret is
// needed to describe the service, and the description is there while they are not.
import type { Gate } from '#domain/ports/gate.ts';

const refuse = (): never => {
  throw new Error('discovery knows no callers: a row that needs one belongs to another area');
};

/** Throws whatever it is asked. */
export const closedGate: Gate = {
  credentials: { walletOf: refuse },
  accounts: { byWallet: refuse },
  idempotency: { claim: refuse, finish: refuse, release: refuse },
  sealer: { seal: refuse, open: refuse },
};
