// Whether a wallet owns a name, as far as anyone can tell: by its reverse record, else by the names it was seen to get.
import type { KnownNames } from '../ports/names.ts';
import type { Wallet } from '../values/wallet.ts';
import { addressHandle, type ChosenHandle, type HandlePorts, named, ownReverseName } from './choose-handle.ts';

export interface OwnedNamePorts extends HandlePorts {
  readonly knownNames: KnownNames;
}

export interface Prospects {
  /** What the wallet would get by registering now. */
  readonly handle: ChosenHandle;
  readonly ownsName: boolean;
  /** The chain did not answer, so that both may be more than is said. */
  readonly isUnsure: boolean;
}

/** Names that wallets were sent need a look each; this many are enough to say "owns one". */
const LOOKED_AT_MAX = 5;

const ownsKnownName = async (ports: OwnedNamePorts, wallet: Wallet): Promise<boolean | 'unavailable'> => {
  const labels = (await ports.knownNames.labelsOf(wallet)).slice(0, LOOKED_AT_MAX);
  const owners = await Promise.all(labels.map((label) => ports.names.ownerOf(label)));
  if (owners.some((owner) => typeof owner === 'object' && owner.owner === wallet)) return true;
  return owners.includes('unavailable') ? 'unavailable' : false;
};

/** Looks at a wallet; never fails, since a silent chain only makes it unsure. */
export const prospectsOf = async (ports: OwnedNamePorts, wallet: Wallet): Promise<Prospects> => {
  const reverse = await ownReverseName(ports, wallet);
  if (typeof reverse !== 'string') return { handle: named(reverse.label), ownsName: true, isUnsure: false };
  const owns = await ownsKnownName(ports, wallet);
  return { handle: addressHandle(wallet), ownsName: owns === true, isUnsure: reverse === 'unavailable' || owns === 'unavailable' };
};
