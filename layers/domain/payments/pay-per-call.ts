// Decides what a Payment credential is worth: a fresh payment, a call that is still owed for one that was charged before a
// process died, or nothing. Money is charged after everything that can refuse, and a charge is written down before it is
// sent, so that nobody pays twice for one call and no payment makes two.
import { fail, type Failure, ok, type Outcome } from '../errors.ts';
import type { EntitlementKey } from '../ports/changes/payments.ts';
import type {
  Charged,
  Entitlement,
  Offer,
  PaidCall,
  PaidCallStore,
  PayPerCall,
  PaymentJournal,
  PresentedCredential,
  Teller,
  UsedCredential,
} from '../ports/pay-per-call.ts';
import type { Wallet } from '../values/wallet.ts';

export interface PayPerCallPorts {
  readonly teller: Teller;
  readonly paidCalls: PaidCallStore;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A call that is owed for longer than this was left behind by a process that died. */
const IN_FLIGHT_SECONDS_MAX = 10;
const LOOK_AGAIN_MS = 250;

const USED: Failure = fail('payment_required', { message: 'This payment has already been used' });

const chargedBy = async (ports: PayPerCallPorts, entitlement: Entitlement): Promise<Outcome<Charged>> => {
  const { wallet, scope, id, reference, at } = entitlement;
  return ok({
    changes: [{ kind: 'entitlement.spend', entitlement: { wallet, scope, id } }],
    reference,
    receipt: await ports.teller.receipt(reference, at),
  });
};

/** Whether a call is owed: its payment may have failed, or never have reached the chain. */
const isOwed = async (ports: PayPerCallPorts, entitlement: Entitlement): Promise<Outcome<boolean>> => {
  const settlement = await ports.teller.settlementOf(entitlement.reference);
  if (settlement === 'unavailable') return fail('chain_unavailable');
  if (settlement === 'failed') await ports.paidCalls.drop(entitlement);
  return ok(settlement === 'paid');
};

/** Waits while another request of the same payer makes the call; true when it is left over. */
const isLeftBehind = async (ports: PayPerCallPorts, entitlement: Entitlement, now: number): Promise<boolean> => {
  const patienceMs = Math.max(0, entitlement.at + IN_FLIGHT_SECONDS_MAX - now) * 1000;
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += LOOK_AGAIN_MS) {
    if (!(await ports.paidCalls.find(entitlement))) return false;
    await ports.pause(LOOK_AGAIN_MS);
  }
  return (await ports.paidCalls.find(entitlement)) !== undefined;
};

/** A call that the payer has paid for and never got; none in nearly every case. */
const leftOver = async (ports: PayPerCallPorts, payer: Wallet, scope: string, now: number): Promise<Outcome<Entitlement | undefined>> => {
  for (const entitlement of await ports.paidCalls.owed(payer, scope)) {
    if (!(await isLeftBehind(ports, entitlement, now))) continue;
    const owed = await isOwed(ports, entitlement);
    if (!owed.ok) return owed;
    if (owed.value) return ok(entitlement);
  }
  return ok(undefined);
};

const journalFor = (store: PaidCallStore, credential: PresentedCredential, entitlement: EntitlementKey, now: number): PaymentJournal => ({
  claim: (hash, expiresAt) => store.claim({ hash, use: { challengeId: credential.challengeId, entitlement }, now, expiresAt }),
  release: (hash) => store.release(hash, entitlement),
});

const chargeAnew = async (
  ports: PayPerCallPorts,
  credential: PresentedCredential,
  payer: Wallet,
  offer: Offer,
  now: number,
): Promise<Outcome<Charged>> => {
  const key = { wallet: payer, scope: offer.scope, id: credential.paymentHash };
  const charged = await ports.teller.charge(credential, offer, journalFor(ports.paidCalls, credential, key, now));
  if (charged.ok) return chargedBy(ports, { ...key, reference: charged.value, at: now });
  if (charged.code !== 'chain_unavailable') return charged;
  // The answer was lost; the payment may have gone through all the same.
  const entitlement = await ports.paidCalls.find(key);
  const owed = entitlement && (await isOwed(ports, entitlement));
  return owed?.ok && owed.value ? chargedBy(ports, entitlement as Entitlement) : charged;
};

const freshCall = (ports: PayPerCallPorts, credential: PresentedCredential, payer: Wallet, offer: Offer, now: number): PaidCall => ({
  payer,
  charge: async () => {
    const left = await leftOver(ports, payer, offer.scope, now);
    if (!left.ok) return left;
    return left.value ? chargedBy(ports, left.value) : chargeAnew(ports, credential, payer, offer, now);
  },
  isSpent: async () => {
    const used = await ports.paidCalls.findUsed(credential.paymentHash);
    return used !== undefined && (await ports.paidCalls.find(used.entitlement)) === undefined;
  },
});

/** The same credential again: good for the call that it still owes, after a crash, and for nothing else. */
const resumedCall = async (
  ports: PayPerCallPorts,
  credential: PresentedCredential,
  used: UsedCredential,
  offer: Offer,
): Promise<Outcome<PaidCall>> => {
  // Hashes are public once they are on chain; the challenge that they answer is known to the payer alone.
  if (used.challengeId !== credential.challengeId || used.entitlement.scope !== offer.scope) return USED;
  const entitlement = await ports.paidCalls.find(used.entitlement);
  if (!entitlement) return USED;
  const owed = await isOwed(ports, entitlement);
  if (!owed.ok) return owed;
  if (!owed.value) return USED;
  return ok({
    payer: entitlement.wallet,
    charge: () => chargedBy(ports, entitlement),
    isSpent: async () => (await ports.paidCalls.find(entitlement)) === undefined,
  });
};

/** Opens calls that are paid for one by one. */
export const payPerCall = (ports: PayPerCallPorts): PayPerCall => ({
  challenge: (offer) => ports.teller.challenge(offer),
  open: async (header, offer, now) => {
    const credential = await ports.teller.read(header);
    if (!credential.ok) return credential;
    const used = await ports.paidCalls.findUsed(credential.value.paymentHash);
    if (used) return resumedCall(ports, credential.value, used, offer);
    const payer = await ports.teller.validate(credential.value, offer);
    return payer.ok ? ok(freshCall(ports, credential.value, payer.value, offer, now)) : payer;
  },
});
