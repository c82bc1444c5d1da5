// The names of a wallet: what it owns on chain, as far as anyone can list it, and the names it goes by here.
import { fail, ok, type Outcome } from '../errors.ts';
import type { Aliases, KnownNames } from '../ports/names.ts';
import type { Accounts } from '../ports/stores.ts';
import type { Names } from '../ports/wallets.ts';
import type { Wallet } from '../values/wallet.ts';
import { ALIASES_MAX } from './aliases.ts';

export interface BasenamesPorts {
  readonly names: Names;
  readonly accounts: Accounts;
  readonly aliases: Aliases;
  readonly knownNames: KnownNames;
}

export interface OwnedName {
  readonly label: string;
  /** Unix seconds; null for a name that the wallet no longer owns. */
  readonly expiresAt: number | null;
  /** `onchain`: owned right now; `alias`: it goes by that name here, and the chain says otherwise. */
  readonly source: 'onchain' | 'alias';
}

/** All that an account may go by here, and as many that it was only seen to get. */
const LISTED_MAX = 2 * (ALIASES_MAX + 1);

const handlesHere = async (ports: BasenamesPorts, wallet: Wallet): Promise<string[]> => {
  const account = await ports.accounts.byWallet(wallet, { strong: true });
  if (!account) return [];
  const aliases = (await ports.aliases.list(wallet)).map(({ handle }) => handle);
  return account.source === 'basename' ? [account.handle, ...aliases] : aliases;
};

/** One name as the chain sees it; candidates that are not owned any more drop out, names used here stay as such. */
const lookAt = async (names: Names, wallet: Wallet, label: string, isUsedHere: boolean): Promise<OwnedName[] | 'unavailable'> => {
  const [owner, expiry] = await Promise.all([names.ownerOf(label), names.expiry(label)]);
  if (owner === 'unavailable' || expiry === 'unavailable') return 'unavailable';
  if (owner !== 'none' && owner.owner === wallet) return [{ label, expiresAt: expiry === 'none' ? null : expiry, source: 'onchain' }];
  return isUsedHere ? [{ label, expiresAt: null, source: 'alias' }] : [];
};

/** Lists the names of a wallet; a chain that does not answer is 503, because half a list would read as a loss. */
export const listBasenames = async (ports: BasenamesPorts, wallet: Wallet): Promise<Outcome<readonly OwnedName[]>> => {
  const [here, seen, reverse] = await Promise.all([
    handlesHere(ports, wallet),
    ports.knownNames.labelsOf(wallet),
    ports.names.reverseName(wallet),
  ]);
  if (reverse === 'unavailable') return fail('chain_unavailable');
  const labels = new Set([...here, ...(reverse === 'none' ? [] : [reverse.label]), ...seen]);
  const found = await Promise.all(
    [...labels].slice(0, LISTED_MAX).map((label) => lookAt(ports.names, wallet, label, here.includes(label))),
  );
  return found.includes('unavailable') ? fail('chain_unavailable') : ok(found.filter((one) => one !== 'unavailable').flat());
};
