// Purchases whose request died between payment and account: seen through and put to use, so that no paid name is lost.
import { ok, type Outcome } from '../errors.ts';
import type { Purchase } from '../ports/names.ts';
import type { Names } from '../ports/wallets.ts';
import { createAccount, type CreateAccountPorts } from './create-account.ts';
import { endPurchase, seePurchaseThrough, type BuyPorts } from './buy-name.ts';
import { named } from './choose-handle.ts';
import { takeName, type TakeNamePorts } from './take-name.ts';

const PAGE = 25;

export type FinishPorts = Pick<BuyPorts, 'buyer' | 'purchases'> & CreateAccountPorts & TakeNamePorts & { readonly names: Names };

/** The wallet asked for this name: a wallet without an account gets its account, one with a 0x handle the handle. */
const putToUse = async (ports: FinishPorts, { wallet, label }: Purchase, now: number): Promise<Outcome<unknown>> => {
  const account = await ports.accounts.byWallet(wallet, { strong: true });
  // A named account keeps its handle; the name is the wallet's to add as an alias.
  if (account?.source === 'basename') return ok(undefined);
  if (account) return takeName(ports, account, label, now);
  return createAccount(ports, { wallet, chosen: named(label), now, along: async () => [] });
};

/** Whether nothing is left to do for a paid name: it is in use, it went to another owner, or another goes by it here. */
const isSettled = async (ports: FinishPorts, purchase: Purchase, now: number): Promise<boolean> => {
  const owner = await ports.names.ownerOf(purchase.label);
  if (owner === 'unavailable') return false;
  if (owner === 'none' || owner.owner !== purchase.wallet) return true;
  const used = await putToUse(ports, purchase, now);
  return used.ok || used.code === 'handle_taken';
};

const finish = async (ports: FinishPorts, purchase: Purchase, now: number): Promise<boolean> => {
  const end = await seePurchaseThrough(ports, purchase);
  if (!end.ok) return end.code === 'purchase_failed';
  if (!(await isSettled(ports, purchase, now))) return false;
  await endPurchase(ports.committer, purchase, 'done');
  return true;
};

/** Finishes what is due while `hasTime`; gives how many came to an end. */
export const finishPurchases = async (ports: FinishPorts, now: number, hasTime: () => boolean): Promise<number> => {
  let finished = 0;
  for (const purchase of await ports.purchases.due(now, PAGE)) {
    if (!hasTime()) break;
    if (await finish(ports, purchase, now)) finished += 1;
  }
  return finished;
};
