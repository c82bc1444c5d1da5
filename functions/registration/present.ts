// How registrations and names read on the wire.
import { type Account, basenameOf, emailOf } from '#domain/identity/account.ts';
import type { AliasAdded } from '#domain/identity/aliases.ts';
import type { NameCheck, WalletCheck } from '#domain/identity/check-registration.ts';
import { UPGRADE_HINT } from '#domain/identity/choose-handle.ts';
import type { OwnedName } from '#domain/identity/list-basenames.ts';
import type { Offer } from '#domain/identity/name-offer.ts';
import type { Registered } from '#domain/identity/register.ts';
import type { Upgraded } from '#domain/identity/upgrade-handle.ts';
import type { Names, RegisterCall } from '#domain/ports/wallets.ts';
import type { Wallet } from '#domain/values/wallet.ts';

const WEI_DIGITS = 18;

/** Wei as ETH, exactly: `999088168608000` → `0.000999088168608`. */
const etherText = (wei: bigint): string => {
  const digits = wei.toString().padStart(WEI_DIGITS + 1, '0');
  const fraction = digits.slice(-WEI_DIGITS).replace(/0+$/, '');
  const whole = digits.slice(0, -WEI_DIGITS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
};

export const registeredBody = ({ account, token, pendingEmails }: Registered, mailDomain: string) => ({
  success: true,
  email: emailOf(account.handle, mailDomain),
  handle: account.handle,
  wallet: account.wallet,
  basename: account.basename,
  source: account.source,
  token,
  tier: account.tier,
  pending_emails: pendingEmails,
  ...(account.source === 'address' && { upgrade_hint: UPGRADE_HINT }),
});

export const aliasBody = (account: Account, added: AliasAdded, mailDomain: string) => ({
  success: true,
  action: 'alias_added',
  primary_email: emailOf(account.handle, mailDomain),
  alias_email: emailOf(added.label, mailDomain),
  basename: added.basename,
});

export const upgradedBody = ({ account, oldHandle, token }: Upgraded, mailDomain: string) => ({
  success: true,
  email: emailOf(account.handle, mailDomain),
  handle: account.handle,
  old_handle: oldHandle,
  basename: account.basename,
  token,
  migrated_emails: account.mail.inbox + account.mail.sent,
});

const WALLET_STEPS = [
  'POST /api/auth/start with {"address"} and sign the message.',
  'POST /api/auth/agent-register with {"address", "message", "signature"} to get a mailbox and a token.',
  'For a name handle give `basename`, a name that the wallet owns; GET /api/register/buy-data/{name} tells how to buy one.',
];

const walletCheckBody = ({ wallet, account, handle, ownsName, status, note }: WalletCheck, mailDomain: string) => ({
  wallet,
  handle: handle.handle,
  email: emailOf(handle.handle, mailDomain),
  basename: handle.basename,
  source: handle.source,
  registered: account !== undefined,
  has_basename_nft: ownsName,
  ...(status !== undefined && { status, note }),
  ...(!account && { next_steps: WALLET_STEPS }),
});

export interface NameSite {
  readonly registrar: Names['registrar'];
  readonly baseUrl: string;
  readonly mailDomain: string;
}

const priceBody = ({ label, isAvailable, priceWei }: Offer, { registrar, baseUrl }: NameSite) => ({
  available: isAvailable,
  price_wei: String(priceWei),
  price_eth: etherText(priceWei),
  duration_years: 1,
  registrar: registrar.address,
  chain_id: registrar.chainId,
  buy_url: `${baseUrl}/api/register/buy-data/${label}`,
});

const nameCheckBody = (check: NameCheck, site: NameSite) => ({
  handle: check.label,
  email: emailOf(check.label, site.mailDomain),
  basename: basenameOf(check.label),
  source: 'basename',
  registered: check.isRegistered,
  available_basemail: !check.isRegistered && !check.isReserved,
  available_onchain: check.offer?.isAvailable ?? null,
  status: check.status,
  price_info: check.offer ? priceBody(check.offer, site) : null,
  ...(check.note !== undefined && { note: check.note }),
});

export const checkBody = (check: WalletCheck | NameCheck, site: NameSite) =>
  check.kind === 'wallet' ? walletCheckBody(check, site.mailDomain) : nameCheckBody(check, site);

export const offerBody = ({ label, isAvailable, priceWei }: Offer) => ({
  name: label,
  basename: basenameOf(label),
  available: isAvailable,
  ...(isAvailable && { price_wei: String(priceWei), price_eth: etherText(priceWei) }),
});

export const buyDataBody = ({ offer, call }: { readonly offer: Offer; readonly call: RegisterCall }) => ({
  name: offer.label,
  basename: basenameOf(offer.label),
  owner: call.args.owner,
  available: true,
  price_wei: String(offer.priceWei),
  price_eth: etherText(offer.priceWei),
  chain_id: call.chainId,
  registrar: call.to,
  to: call.to,
  data: call.data,
  value: String(call.value),
  duration_seconds: String(call.durationSeconds),
  args: { ...call.args },
});

export const basenamesBody = (address: Wallet, names: readonly OwnedName[]) => ({
  address,
  basenames: names.map(({ label, expiresAt, source }) => ({ name: basenameOf(label), handle: label, expires_at: expiresAt, source })),
});
