// Registration with a name that the service buys: the payment first, then the account in the transaction that answers.
import { ok, type Outcome } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { NewAccount } from './create-account.ts';
import { createAccount } from './create-account.ts';
import { endPurchase } from './buy-name.ts';
import { named } from './choose-handle.ts';
import { alreadyRegistered, type Registered, type RegisterPorts, type RegisterRequest } from './register.ts';
import { type SponsoredName, sponsorName, type SponsorPorts } from './sponsor-name.ts';
import { takeName } from './take-name.ts';

export interface SponsoredRegistration extends Omit<RegisterRequest, 'basename'> {
  /** The name to buy, as it was asked for. */
  readonly name: string;
}

type Ports = RegisterPorts & SponsorPorts;

/** Another request made the account while the name was paid for: the name becomes its handle, so nothing paid is lost. */
const nameWinner = async (ports: Ports, request: SponsoredRegistration, { label }: SponsoredName): Promise<Outcome<Registered>> => {
  const { wallet, now, baseUrl } = request;
  const winner = await ports.accounts.byWallet(wallet, { strong: true });
  if (!winner) return alreadyRegistered(winner);
  const account = await takeName(ports, winner, label, now);
  if (!account.ok) return account;
  const token = await ports.tokens.issue({ wallet, handle: label, issuer: baseUrl, now });
  return ok({ account: account.value, pendingEmails: 0, token });
};

const makeAccount = async (ports: Ports, request: SponsoredRegistration, name: SponsoredName): Promise<Outcome<Registered>> => {
  const { wallet, now, baseUrl } = request;
  const token = await ports.tokens.issue({ wallet, handle: name.label, issuer: baseUrl, now });
  const along = (created: NewAccount) => request.commitReply({ ...created, token });
  const created = await createAccount(ports, { wallet, chosen: named(name.label), now, along });
  if (created.ok) return ok({ ...created.value, token });
  return created.code === 'wallet_already_registered' ? nameWinner(ports, request, name) : created;
};

/** Registers a wallet under a name bought for it (interface, `POST /api/register` with `auto_basename`). */
export const registerSponsored = async (ports: Ports, request: SponsoredRegistration): Promise<Outcome<Registered>> => {
  const { wallet, name: text, sourceIp, now, showLimits, charge } = request;
  const name = await sponsorName(ports, { wallet, text, sourceIp, now, showLimits, charge, limits: [LIMITS.register] });
  if (!name.ok) return name;
  const registered = await makeAccount(ports, request, name.value);
  if (registered.ok && name.value.purchase) await endPurchase(ports.committer, name.value.purchase, 'done');
  return registered;
};
