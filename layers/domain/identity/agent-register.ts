// Sign-in that makes the account when there is none: one call from a signed text to a mailbox.
import { fail, ok, type Outcome } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change } from '../ports/changes.ts';
import type { Limiter, LimitState } from '../ports/stores.ts';
import type { Account } from './account.ts';
import { claimAlias, type ClaimPorts } from './aliases.ts';
import { chooseHandle, type ChoosePorts, requireOwnedName } from './choose-handle.ts';
import { createAccount, type CreateAccountPorts } from './create-account.ts';
import { newRefreshToken, type SessionPorts } from './sessions.ts';
import { checkSignedMessage, type SignedMessage, type SignInMoment, type SignInPorts } from './sign-in.ts';

export interface AgentRegisterPorts extends SignInPorts, SessionPorts, ChoosePorts, ClaimPorts, CreateAccountPorts {
  readonly limiter: Limiter;
}

export interface AgentRegisterRequest extends SignedMessage, SignInMoment {
  readonly basename: string | undefined;
  readonly sourceIp: string;
  readonly showLimits: (state: LimitState) => void;
}

export interface SignedIn {
  readonly account: Account;
  readonly token: string;
  readonly refreshToken: string;
  readonly isNew: boolean;
  readonly pendingEmails: number;
}

/** A name that a registered wallet shows at sign-in becomes an alias, unless it is its handle or alias already. */
const aliasChanges = async (
  ports: AgentRegisterPorts,
  account: Account,
  basename: string | undefined,
  now: number,
): Promise<Outcome<Change[]>> => {
  if (basename === undefined || basename === account.basename) return ok([]);
  const label = await requireOwnedName(ports, basename, account.wallet);
  if (!label.ok) return label;
  return claimAlias(ports, account, label.value, now);
};

const signIn = async (
  ports: AgentRegisterPorts,
  request: AgentRegisterRequest,
  account: Account,
  nonce: string,
): Promise<Outcome<SignedIn>> => {
  const { now, baseUrl } = request;
  request.showLimits(await ports.limiter.peek(LIMITS.register, request.sourceIp, now));
  const alias = await aliasChanges(ports, account, request.basename, now);
  if (!alias.ok) return alias;
  const token = await ports.tokens.issue({ wallet: account.wallet, handle: account.handle, issuer: baseUrl, now });
  const refresh = newRefreshToken(ports, account.wallet, now);
  const committed = await ports.committer.commit([{ kind: 'nonce.consume', nonce, now }, refresh.change, ...alias.value]);
  return committed.ok ? ok({ account, token, refreshToken: refresh.token, isNew: false, pendingEmails: 0 }) : committed;
};

const signUp = async (ports: AgentRegisterPorts, request: AgentRegisterRequest, nonce: string): Promise<Outcome<SignedIn>> => {
  const { now, baseUrl, address } = request;
  const chosen = await chooseHandle(ports, address, request.basename);
  if (!chosen.ok) return chosen;
  const limit = await ports.limiter.take(LIMITS.register, request.sourceIp, now);
  request.showLimits(limit);
  if (!limit.isAllowed) return fail('rate_limited');
  // Issued before the commit: a deployment without its signing secret must not make accounts that cannot sign in.
  const token = await ports.tokens.issue({ wallet: address, handle: chosen.value.handle, issuer: baseUrl, now });
  const refresh = newRefreshToken(ports, address, now);
  const along: Change[] = [{ kind: 'nonce.consume', nonce, now }, refresh.change];
  const created = await createAccount(ports, { wallet: address, chosen: chosen.value, now, along: async () => along });
  return created.ok ? ok({ ...created.value, token, refreshToken: refresh.token, isNew: true }) : created;
};

/** Signs a wallet in and registers it first where needed (interface, `POST /api/auth/agent-register`). */
export const agentRegister = async (ports: AgentRegisterPorts, request: AgentRegisterRequest): Promise<Outcome<SignedIn>> => {
  const checked = await checkSignedMessage(ports, request, request.now);
  if (!checked.ok) return checked;
  const account = await ports.accounts.byWallet(request.address, { strong: true });
  if (account) return signIn(ports, request, account, checked.value.nonce);
  const outcome = await signUp(ports, request, checked.value.nonce);
  if (outcome.ok || outcome.code !== 'wallet_already_registered') return outcome;
  // Another call registered the wallet meanwhile; nothing was consumed, so this one signs in.
  const winner = await ports.accounts.byWallet(request.address, { strong: true });
  return winner ? signIn(ports, request, winner, checked.value.nonce) : outcome;
};
