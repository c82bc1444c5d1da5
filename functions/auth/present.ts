// How sign-in results read on the wire.
import { emailOf } from '#domain/identity/account.ts';
import type { SignedIn } from '#domain/identity/agent-register.ts';
import { UPGRADE_HINT } from '#domain/identity/choose-handle.ts';
import type { VerifiedSignIn } from '#domain/identity/verify-sign-in.ts';
import type { ApiKey } from '#domain/ports/changes.ts';
import type { Wallet } from '#domain/values/wallet.ts';

export const signedInBody = ({ account, token, refreshToken, isNew, pendingEmails }: SignedIn, mailDomain: string) => ({
  token,
  refresh_token: refreshToken,
  email: emailOf(account.handle, mailDomain),
  handle: account.handle,
  wallet: account.wallet,
  basename: account.basename,
  tier: account.tier,
  registered: true,
  new_account: isNew,
  source: account.source,
  ...(isNew && { pending_emails: pendingEmails }),
  ...(account.source === 'address' && { upgrade_hint: UPGRADE_HINT }),
});

export const verifiedBody = (
  { account, token, refreshToken, suggested, ownsName }: VerifiedSignIn,
  wallet: Wallet,
  mailDomain: string,
) => ({
  token,
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  wallet,
  registered: account !== undefined,
  handle: account?.handle ?? '',
  basename: account ? account.basename : suggested.basename,
  tier: account?.tier ?? null,
  suggested_handle: suggested.handle,
  suggested_email: emailOf(suggested.handle, mailDomain),
  suggested_source: suggested.source,
  upgrade_available: account?.source === 'address' && suggested.source === 'basename',
  has_basename_nft: ownsName,
});

export const apiKeyRow = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  revoked_at: key.revokedAt,
});
