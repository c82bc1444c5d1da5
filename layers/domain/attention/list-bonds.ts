// The bonds on mail to and from an account; listing forfeits those whose time is over.
import type { BondPage } from '../ports/attention.ts';
import type { Wallet } from '../values/wallet.ts';
import { isOver } from './bonds.ts';
import { type BondPorts, forfeitBond } from './end-bond.ts';

export interface BondListRequest {
  readonly wallet: Wallet;
  readonly limit: number;
  readonly cursor?: string;
  readonly now: number;
}

/** One page, newest first, without a dead bond that still reads as active. */
export const listBonds = async (ports: BondPorts, { now, ...request }: BondListRequest): Promise<BondPage> => {
  const page = await ports.bonds.page(request);
  const over = page.bonds.filter((bond) => isOver(bond, now));
  if (over.length === 0) return page;
  for (const bond of over) await forfeitBond(ports, bond, now);
  return ports.bonds.page(request);
};
