// Makes an alias the handle of its account; the handle before stays as an alias.
import { notFound, ok, type Outcome } from '../errors.ts';
import type { Tokens } from '../ports/tokens.ts';
import type { Account } from './account.ts';
import { type HandlePorts, requireOwnedName } from './choose-handle.ts';
import { takeName, type TakeNamePorts } from './take-name.ts';

export interface SwitchPorts extends HandlePorts, TakeNamePorts {
  readonly tokens: Tokens;
}

export interface Switched {
  readonly account: Account;
  readonly oldHandle: string;
  readonly token: string;
}

/** Switches to one of the account's aliases, which the wallet has to own still (interface areas, `PUT /api/settings/primary`). */
export const switchPrimary = async (
  ports: SwitchPorts,
  request: { readonly account: Account; readonly handle: string; readonly now: number; readonly baseUrl: string },
): Promise<Outcome<Switched>> => {
  const { account, now, baseUrl } = request;
  const label = ports.names.parseLabel(request.handle);
  const holder = label === undefined ? undefined : await ports.handles.ownerOf(label);
  if (label === undefined || holder?.wallet !== account.wallet) return notFound('Alias');
  const owned = await requireOwnedName(ports, label, account.wallet);
  if (!owned.ok) return owned;
  const token = await ports.tokens.issue({ wallet: account.wallet, handle: label, issuer: baseUrl, now });
  const renamed = await takeName(ports, account, label, now);
  return renamed.ok ? ok({ account: renamed.value, oldHandle: account.handle, token }) : renamed;
};
