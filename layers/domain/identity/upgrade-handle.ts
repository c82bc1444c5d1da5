// From a 0x handle to a name: owned, bought by the service, or the one that the wallet chose on chain.
import { fail, notFound, ok, type Outcome } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { LimitState } from '../ports/stores.ts';
import type { Tokens } from '../ports/tokens.ts';
import type { Account } from './account.ts';
import { endPurchase } from './buy-name.ts';
import { ownPaidName, ownReverseName, requireOwnedName } from './choose-handle.ts';
import { sponsorName, type SponsoredName, type SponsorPorts } from './sponsor-name.ts';
import { takeName, type TakeNamePorts } from './take-name.ts';

export interface UpgradePorts extends SponsorPorts, TakeNamePorts {
  readonly tokens: Tokens;
}

export interface UpgradeRequest {
  readonly account: Account | undefined;
  readonly basename: string | undefined;
  /** The name to buy, when the service shall. */
  readonly sponsored: string | undefined;
  readonly sourceIp: string;
  readonly now: number;
  readonly baseUrl: string;
  readonly showLimits: (state: LimitState) => void;
}

export interface Upgraded {
  readonly account: Account;
  readonly oldHandle: string;
  readonly token: string;
}

const NO_NAME = fail('not_found', {
  resource: 'Name of this wallet',
  hint: 'Own a Basename and give it as `basename`, set it as the primary name of the wallet, or let the service buy one with `auto_basename`.',
});

/** A purchase of an earlier request that died before it could use the name, else the wallet's own choice on chain. */
const unaskedName = async (ports: UpgradePorts, { wallet }: Account): Promise<Outcome<SponsoredName>> => {
  const paid = await ownPaidName(ports, wallet);
  if (paid) return ok({ label: paid.label, purchase: paid });
  const reverse = await ownReverseName(ports, wallet);
  if (reverse === 'unavailable') return fail('chain_unavailable');
  return reverse === 'none' ? NO_NAME : ok({ label: reverse.label, purchase: undefined });
};

const nameFor = async (ports: UpgradePorts, request: UpgradeRequest, account: Account): Promise<Outcome<SponsoredName>> => {
  const { basename, sponsored, sourceIp, now, showLimits } = request;
  if (sponsored === undefined) showLimits(await ports.limiter.peek(LIMITS.sponsoredBasename, sourceIp, now));
  if (basename !== undefined) {
    const label = await requireOwnedName(ports, basename, account.wallet);
    return label.ok ? ok({ label: label.value, purchase: undefined }) : label;
  }
  if (sponsored === undefined) return unaskedName(ports, account);
  return sponsorName(ports, { wallet: account.wallet, text: sponsored, sourceIp, now, showLimits, limits: [] });
};

/** Changes the handle (interface, `PUT /api/register/upgrade`); the 0x address before keeps leading to the account. */
export const upgradeHandle = async (ports: UpgradePorts, request: UpgradeRequest): Promise<Outcome<Upgraded>> => {
  const { account, now, baseUrl } = request;
  if (!account) return notFound('Account');
  if (account.source !== 'address') return fail('already_named', { fields: { handle: account.handle } });
  const name = await nameFor(ports, request, account);
  if (!name.ok) return name;
  const { label, purchase } = name.value;
  // Before the change: a deployment without its signing secret must not change handles and then fail to tell.
  const token = await ports.tokens.issue({ wallet: account.wallet, handle: label, issuer: baseUrl, now });
  const renamed = await takeName(ports, account, label, now);
  if (!renamed.ok) return renamed;
  if (purchase) await endPurchase(ports.committer, purchase, 'done');
  return ok({ account: renamed.value, oldHandle: account.handle, token });
};
