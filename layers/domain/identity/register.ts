// Registration by a Bearer: the account of a wallet that has proven itself.
import { fail, ok, type Outcome } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Change, Committer } from '../ports/changes.ts';
import type { Accounts, Limiter, LimitState } from '../ports/stores.ts';
import type { Tokens } from '../ports/tokens.ts';
import type { Wallet } from '../values/wallet.ts';
import type { Account } from './account.ts';
import { chooseHandle, type ChoosePorts } from './choose-handle.ts';
import { heldByAnother } from './handle-conflicts.ts';
import { createAccount, type CreateAccountPorts, type NewAccount } from './create-account.ts';

export interface RegisterPorts extends ChoosePorts, CreateAccountPorts {
  readonly accounts: Accounts;
  readonly committer: Committer;
  readonly limiter: Limiter;
  readonly tokens: Tokens;
}

export interface Registered extends NewAccount {
  readonly token: string;
}

export interface RegisterRequest {
  readonly wallet: Wallet;
  readonly basename: string | undefined;
  readonly sourceIp: string;
  readonly now: number;
  readonly baseUrl: string;
  readonly showLimits: (state: LimitState) => void;
  /** Takes the money of a call that is paid for; such a call counts on no limit. */
  readonly charge?: (() => Promise<unknown>) | undefined;
  readonly commitReply: (registered: Registered) => Promise<Change[]>;
}

/** Nothing can refuse after this but a race: a call is charged only when its name is free. */
const admit = async (ports: RegisterPorts, request: RegisterRequest, handle: string): Promise<Outcome<void>> => {
  if (request.charge) {
    const holder = await ports.handles.ownerOf(handle);
    if (holder && holder.wallet !== request.wallet) return heldByAnother(handle);
    await request.charge();
    return ok(undefined);
  }
  const limit = await ports.limiter.take(LIMITS.register, request.sourceIp, request.now);
  request.showLimits(limit);
  return limit.isAllowed ? ok(undefined) : fail('rate_limited');
};

/** Registers a wallet that has no account (interface, `POST /api/register`). */
export const registerWallet = async (ports: RegisterPorts, request: RegisterRequest): Promise<Outcome<Registered>> => {
  const { wallet, now } = request;
  const chosen = await chooseHandle(ports, wallet, request.basename);
  if (!chosen.ok) return chosen;
  const admitted = await admit(ports, request, chosen.value.handle);
  if (!admitted.ok) return admitted;
  const token = await ports.tokens.issue({ wallet, handle: chosen.value.handle, issuer: request.baseUrl, now });
  const along = (created: NewAccount) => request.commitReply({ ...created, token });
  const created = await createAccount(ports, { wallet, chosen: chosen.value, now, along });
  if (created.ok) return ok({ ...created.value, token });
  return created.code === 'wallet_already_registered'
    ? alreadyRegistered(await ports.accounts.byWallet(wallet, { strong: true }))
    : created;
};

/** 409 with the handle the wallet has (interface, `POST /api/register`). */
export const alreadyRegistered = (account: Account | undefined): Outcome<never> =>
  fail('wallet_already_registered', {
    fields: { existing_handle: account?.handle ?? '' },
    hint: 'Sign in with this wallet; a further Basename it owns can be added with `basename`.',
  });
