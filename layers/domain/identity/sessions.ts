// Sessions: what a proven wallet is given, and how a refresh token is exchanged.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Accounts, Digests, RefreshTokens } from '../ports/stores.ts';
import { REFRESH_LIFE_SECONDS, type Tokens } from '../ports/tokens.ts';
import type { Ids } from '../values/id.ts';
import type { Wallet } from '../values/wallet.ts';
import type { SignInMoment } from './sign-in.ts';

const REFRESH_PREFIX = 'rt_';
/** 43 alphanumerics carry 256 bits: as many as the 32 random bytes that decisions.md asks for. */
const REFRESH_CHARACTERS = 43;

export interface SessionPorts {
  readonly tokens: Tokens;
  readonly refreshTokens: RefreshTokens;
  readonly accounts: Accounts;
  readonly committer: Committer;
  readonly digests: Digests;
  readonly ids: Ids;
}

export interface FreshRefreshToken {
  readonly token: string;
  /** Stores its hash; the token itself is kept by the client alone. */
  readonly change: Change;
}

export const newRefreshToken = (ports: Pick<SessionPorts, 'ids' | 'digests'>, wallet: Wallet, now: number): FreshRefreshToken => {
  const token = REFRESH_PREFIX + ports.ids.token(REFRESH_CHARACTERS);
  const hash = ports.digests.sha256Hex(token);
  return { token, change: { kind: 'refresh.put', hash, wallet, expiresAt: now + REFRESH_LIFE_SECONDS } };
};

export interface RefreshedSession {
  readonly token: string;
  readonly refreshToken?: string;
}

/** Exchanges a refresh token for a session token; rotation kills the old one in the write that makes the new one. */
export const refreshSession = async (
  ports: SessionPorts,
  request: { refreshToken: string; rotate: boolean },
  { now, baseUrl }: SignInMoment,
): Promise<Outcome<RefreshedSession>> => {
  const hash = ports.digests.sha256Hex(request.refreshToken);
  const record = await ports.refreshTokens.find(hash);
  if (!record || record.expiresAt <= now) return fail('refresh_token_invalid');
  const account = await ports.accounts.byWallet(record.wallet, { strong: true });
  const token = await ports.tokens.issue({ wallet: record.wallet, handle: account?.handle ?? '', issuer: baseUrl, now });
  if (!request.rotate) return ok({ token });
  const fresh = newRefreshToken(ports, record.wallet, now);
  const committed = await ports.committer.commit([{ kind: 'refresh.consume', hash, now }, fresh.change]);
  return committed.ok ? ok({ token, refreshToken: fresh.token }) : committed;
};
