// QAF and CO-QAF of an account, from its bonds that are active or refunded.
import { notFound, ok, type Outcome } from '../errors.ts';
import type { Account } from '../identity/account.ts';
import { findByHandle, type LookUpPorts } from '../identity/look-up.ts';
import type { Bonds } from '../ports/attention.ts';
import type { Wallet } from '../values/wallet.ts';
import { type Bond, counts } from './bonds.ts';
import { type BondingSender, type CoQaf, coQafOf, qafOf } from './qaf.ts';

export interface ScorePorts extends LookUpPorts {
  readonly bonds: Bonds;
}

export interface QafScore {
  readonly qaf: number;
  readonly uniqueSenders: number;
  readonly totalMicros: bigint;
}

/** Partitions read at a time. */
const PARALLEL = 10;

const sumBySender = (bonds: readonly Bond[], recipient: Wallet): Map<Wallet, bigint> => {
  const sums = new Map<Wallet, bigint>();
  for (const bond of bonds) {
    if (bond.recipient === recipient && counts(bond)) sums.set(bond.sender, (sums.get(bond.sender) ?? 0n) + bond.amountMicros);
  }
  return sums;
};

/** The score over an account's bonds, whoever read them. */
export const qafScoreOf = (bonds: readonly Bond[], recipient: Wallet): QafScore => {
  const sums = [...sumBySender(bonds, recipient).values()];
  const totalMicros = sums.reduce((sum, micros) => sum + micros, 0n);
  return { qaf: qafOf(sums.map((bondMicros) => ({ bondMicros }))), uniqueSenders: sums.length, totalMicros };
};

/** QAF of the account behind a handle; 404 for an unknown one. */
export const qafByHandle = async (ports: ScorePorts, handle: string): Promise<Outcome<{ account: Account; score: QafScore }>> => {
  const account = await findByHandle(ports, handle);
  if (!account) return notFound('Handle');
  return ok({ account, score: qafScoreOf(await ports.bonds.all(account.wallet), account.wallet) });
};

const withRecipients = async (ports: ScorePorts, sender: Wallet, bondMicros: bigint): Promise<BondingSender<Wallet>> => {
  const bonds = (await ports.bonds.all(sender)).filter((bond) => bond.sender === sender && counts(bond));
  return { sender, bondMicros, recipients: new Set(bonds.map(({ recipient }) => recipient)) };
};

const readSenders = async (ports: ScorePorts, sums: ReadonlyMap<Wallet, bigint>): Promise<BondingSender<Wallet>[]> => {
  const entries = [...sums];
  const senders: BondingSender<Wallet>[] = [];
  for (let start = 0; start < entries.length; start += PARALLEL) {
    const slice = entries.slice(start, start + PARALLEL);
    senders.push(...(await Promise.all(slice.map(([sender, micros]) => withRecipients(ports, sender, micros)))));
  }
  return senders;
};

export interface CoQafReport {
  readonly account: Account;
  readonly score: CoQaf<Wallet>;
  /** The handles that senders with an account go by now. */
  readonly handles: ReadonlyMap<Wallet, string>;
}

const handlesOf = async (ports: ScorePorts, wallets: readonly Wallet[]): Promise<Map<Wallet, string>> => {
  const accounts = await Promise.all(wallets.map((wallet) => ports.accounts.byWallet(wallet, { strong: false })));
  return new Map(accounts.flatMap((account) => (account ? [[account.wallet, account.handle]] : [])));
};

/** CO-QAF of the account behind a handle, with the overlap of each of its senders; 404 for an unknown one. */
export const coQafByHandle = async (ports: ScorePorts, handle: string): Promise<Outcome<CoQafReport>> => {
  const account = await findByHandle(ports, handle);
  if (!account) return notFound('Handle');
  const sums = sumBySender(await ports.bonds.all(account.wallet), account.wallet);
  const score = coQafOf(await readSenders(ports, sums));
  return ok({ account, score, handles: await handlesOf(ports, [...sums.keys()]) });
};
