// Public look-ups of accounts, by any name that leads to them.
import type { Accounts, Handles } from '../ports/stores.ts';
import { parseWallet } from '../values/wallet.ts';
import type { Account } from './account.ts';

export interface LookUpPorts {
  readonly accounts: Accounts;
  readonly handles: Handles;
}

/** The account of a wallet, written in any case. */
export const findByWallet = async (ports: LookUpPorts, address: string): Promise<Account | undefined> => {
  const wallet = parseWallet(address);
  return wallet && ports.accounts.byWallet(wallet, { strong: true });
};

/** The account that a handle, an alias or an address leads to, in any case; an old 0x handle leads on for good. */
export const findByHandle = async (ports: LookUpPorts, name: string): Promise<Account | undefined> => {
  const byWallet = await findByWallet(ports, name);
  if (byWallet) return byWallet;
  const owner = await ports.handles.ownerOf(name.toLowerCase());
  return owner && ports.accounts.byWallet(owner.wallet, { strong: true });
};
